// Every word of the page, in the four languages. The bot's own words come from the bot.

export const LANGUAGES = { "zh-TW": "中文", ja: "日本語", th: "ไทย", en: "English" };

const zh = {
  secretary: "秘書", here: "這台電腦上的聊天室", lost: "連線中斷，正在重連…", chat: "對話", people: "說話的人",
  you: "你", addPerson: "加一個人", name: "名字", language: "語言", add: "加入", cancel: "取消",
  emptyHead: "想到什麼，說就好", emptyText: "待辦、行程、花費、筆記，一句話就記下。先試一句：",
  examples: ["明天下午三點跟陳醫師回診", "午餐 120", "這個月吃飯花了多少？"],
  write: "輸入訊息", send: "傳送", more: "圖片、位置、貼圖", picture: "圖片", place: "位置", sticker: "貼圖",
  placeName: "名稱", address: "地址", latitude: "緯度", longitude: "經度", moment: "日期與時間",
  read: "已讀", waiting: "還沒送到，再試中", failed: "沒送到", again: "再送一次",
  unsend: "收回", unsentMine: "你收回了一則訊息", block: "封鎖", unblock: "解除封鎖", blocked: "已封鎖：收不到也送不出",
  working: "正在回覆", quick: "快速回覆", said: "你說", answered: "秘書說", today: "今天", yesterday: "昨天",
  copied: "已複製", tooLarge: "圖片太大（上限 10 MB）", notDone: "沒成功，請再試一次", card: "卡片", noPicture: "圖片（不從外部載入）",
  stickers: { ok: "好", thanks: "謝謝", happy: "開心", tired: "累了" },
  unread: "有新訊息",
  actions: "對這則訊息", quote: "回覆", edit: "修改", quoting: "回覆", editing: "修改訊息", edited: "已修改", unsentTheirs: "訊息已收回",
  addGroup: "開一個群組", members: "成員", create: "建立", speakAs: "用誰的名字說", mention: "提到秘書", groupOf: "人的群組",
  botAway: "秘書不在這個群組", takeAlong: "請秘書加入", putOut: "請秘書離開", file: "檔案", audio: "語音", video: "影片",
  tools: {
    other: ["正在處理…", "處理好了", "沒處理成"],
    create_record: ["正在記下…", "記下了", "沒記成"], query_records: ["正在查…", "查好了", "沒查成"],
    update_record: ["正在修改…", "改好了", "沒改成"], delete_record: ["正在刪除…", "刪好了", "沒刪成"],
  },
};

const ja = {
  secretary: "秘書", here: "このパソコンの中のトーク", lost: "接続が切れました。再接続中…", chat: "トーク", people: "話す人",
  you: "あなた", addPerson: "人を追加", name: "名前", language: "言語", add: "追加", cancel: "キャンセル",
  emptyHead: "思いついたら、ひとこと", emptyText: "やること、予定、お金、メモ。ひとことで残せます。まずはこちらから：",
  examples: ["明日の15時に田中先生の再診", "昼ごはん 850", "今月の食費はいくら？"],
  write: "メッセージを入力", send: "送信", more: "写真・場所・スタンプ", picture: "写真", place: "場所", sticker: "スタンプ",
  placeName: "名前", address: "住所", latitude: "緯度", longitude: "経度", moment: "日時",
  read: "既読", waiting: "未送信、再送中", failed: "送れませんでした", again: "もう一度",
  unsend: "送信取消", unsentMine: "メッセージの送信を取り消しました", block: "ブロック", unblock: "ブロック解除", blocked: "ブロック中",
  working: "返信を作成中", quick: "クイックリプライ", said: "あなた", answered: "秘書", today: "今日", yesterday: "昨日",
  copied: "コピーしました", tooLarge: "写真が大きすぎます（10 MBまで）", notDone: "うまくいきませんでした。もう一度どうぞ", card: "カード", noPicture: "画像（外部からは読み込みません）",
  stickers: { ok: "OK", thanks: "ありがとう", happy: "うれしい", tired: "つかれた" },
  unread: "新着あり",
  actions: "このメッセージに", quote: "リプライ", edit: "編集", quoting: "リプライ", editing: "メッセージを編集", edited: "編集済み", unsentTheirs: "送信が取り消されました",
  addGroup: "グループを作る", members: "メンバー", create: "作成", speakAs: "話す人", mention: "秘書にメンション", groupOf: "人のグループ",
  botAway: "秘書はこのグループにいません", takeAlong: "秘書を招待", putOut: "秘書を退会させる", file: "ファイル", audio: "音声", video: "動画",
  tools: {
    other: ["処理中…", "処理しました", "処理できませんでした"],
    create_record: ["記録中…", "記録しました", "記録できませんでした"], query_records: ["調べています…", "調べました", "調べられませんでした"],
    update_record: ["変更中…", "変更しました", "変更できませんでした"], delete_record: ["削除中…", "削除しました", "削除できませんでした"],
  },
};

const th = {
  secretary: "เลขา", here: "แชตในเครื่องนี้", lost: "หลุดการเชื่อมต่อ กำลังต่อใหม่…", chat: "แชต", people: "คนที่คุย",
  you: "คุณ", addPerson: "เพิ่มคน", name: "ชื่อ", language: "ภาษา", add: "เพิ่ม", cancel: "ยกเลิก",
  emptyHead: "นึกอะไรได้ ก็พิมพ์มาเลย", emptyText: "งาน นัด รายจ่าย โน้ต จดได้ในประโยคเดียว ลองสักประโยค:",
  examples: ["พรุ่งนี้บ่ายสามนัดหมอ", "ข้าวเที่ยง 60", "เดือนนี้ค่ากินเท่าไหร่"],
  write: "พิมพ์ข้อความ", send: "ส่ง", more: "รูป สถานที่ สติกเกอร์", picture: "รูป", place: "สถานที่", sticker: "สติกเกอร์",
  placeName: "ชื่อ", address: "ที่อยู่", latitude: "ละติจูด", longitude: "ลองจิจูด", moment: "วันและเวลา",
  read: "อ่านแล้ว", waiting: "ยังไม่ถึง กำลังลองใหม่", failed: "ส่งไม่สำเร็จ", again: "ส่งอีกครั้ง",
  unsend: "ยกเลิกข้อความ", unsentMine: "คุณยกเลิกข้อความแล้ว", block: "บล็อก", unblock: "เลิกบล็อก", blocked: "บล็อกอยู่",
  working: "กำลังตอบ", quick: "ตอบด่วน", said: "คุณ", answered: "เลขา", today: "วันนี้", yesterday: "เมื่อวาน",
  copied: "คัดลอกแล้ว", tooLarge: "รูปใหญ่เกินไป (ไม่เกิน 10 MB)", notDone: "ไม่สำเร็จ ลองอีกครั้ง", card: "การ์ด", noPicture: "รูป (ไม่โหลดจากภายนอก)",
  stickers: { ok: "โอเค", thanks: "ขอบคุณ", happy: "ดีใจ", tired: "เหนื่อย" },
  unread: "มีข้อความใหม่",
  actions: "กับข้อความนี้", quote: "ตอบกลับ", edit: "แก้ไข", quoting: "ตอบกลับ", editing: "แก้ไขข้อความ", edited: "แก้ไขแล้ว", unsentTheirs: "ข้อความถูกยกเลิก",
  addGroup: "สร้างกลุ่ม", members: "สมาชิก", create: "สร้าง", speakAs: "พูดในชื่อใคร", mention: "แท็กเลขา", groupOf: "คนในกลุ่ม",
  botAway: "เลขาไม่อยู่ในกลุ่มนี้", takeAlong: "เชิญเลขา", putOut: "ให้เลขาออก", file: "ไฟล์", audio: "เสียง", video: "วิดีโอ",
  tools: {
    other: ["กำลังทำ…", "เสร็จแล้ว", "ทำไม่สำเร็จ"],
    create_record: ["กำลังจด…", "จดแล้ว", "จดไม่สำเร็จ"], query_records: ["กำลังค้น…", "ค้นแล้ว", "ค้นไม่สำเร็จ"],
    update_record: ["กำลังแก้…", "แก้แล้ว", "แก้ไม่สำเร็จ"], delete_record: ["กำลังลบ…", "ลบแล้ว", "ลบไม่สำเร็จ"],
  },
};

const en = {
  secretary: "Secretary", here: "A chat on this computer", lost: "Connection lost, reconnecting…", chat: "Conversation", people: "Who is talking",
  you: "You", addPerson: "Add a person", name: "Name", language: "Language", add: "Add", cancel: "Cancel",
  emptyHead: "Just say it", emptyText: "Tasks, events, money, notes: one sentence keeps them. Try one:",
  examples: ["Dentist tomorrow at 3pm", "Lunch 12", "How much did I spend on food this month?"],
  write: "Write a message", send: "Send", more: "Picture, place, sticker", picture: "Picture", place: "Place", sticker: "Sticker",
  placeName: "Name", address: "Address", latitude: "Latitude", longitude: "Longitude", moment: "Date and time",
  read: "Read", waiting: "Not delivered, retrying", failed: "Not delivered", again: "Send again",
  unsend: "Take back", unsentMine: "You took back a message", block: "Block", unblock: "Unblock", blocked: "Blocked: nothing arrives",
  working: "Writing an answer", quick: "Quick replies", said: "You", answered: "Secretary", today: "Today", yesterday: "Yesterday",
  copied: "Copied", tooLarge: "The picture is too large (10 MB at most)", notDone: "That did not work, please try again", card: "Card", noPicture: "Picture (not loaded from outside)",
  stickers: { ok: "OK", thanks: "Thanks", happy: "Happy", tired: "Tired" },
  unread: "new messages",
  actions: "Actions for this message", quote: "Reply", edit: "Edit", quoting: "Reply to", editing: "Edit message", edited: "Edited", unsentTheirs: "A message was taken back",
  addGroup: "Make a group", members: "Members", create: "Create", speakAs: "Speak as", mention: "Mention the secretary", groupOf: "people in this group",
  botAway: "The secretary is not in this group", takeAlong: "Invite the secretary", putOut: "Ask it to leave", file: "File", audio: "Voice message", video: "Video",
  tools: {
    other: ["Working on it…", "Done", "Not done"],
    create_record: ["Noting it…", "Noted", "Not noted"], query_records: ["Looking it up…", "Looked it up", "Could not look it up"],
    update_record: ["Changing it…", "Changed", "Not changed"], delete_record: ["Deleting it…", "Deleted", "Not deleted"],
  },
};

const tables = { "zh-TW": zh, ja, th, en };

export function languageOf(tag) {
  const start = tag.toLowerCase().split("-")[0];
  return start === "zh" ? "zh-TW" : (start in LANGUAGES ? start : "en");
}

export const language = languageOf(navigator.language || "en");
export const words = tables[language];

// Fill in every element that asks for a word: as its text, its label for screen readers, or its placeholder.
export function fill(root) {
  for (const each of root.querySelectorAll("[data-word]")) each.textContent = words[each.dataset.word];
  for (const each of root.querySelectorAll("[data-label]")) each.setAttribute("aria-label", words[each.dataset.label]);
  for (const each of root.querySelectorAll("[data-placeholder]")) each.placeholder = words[each.dataset.placeholder];
}
