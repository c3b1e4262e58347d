"""What a model says about its own deeds, and whether it says anything that the receipt does not."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from bot.voice.claims import beyond_receipt, claims_saved, without_claims

CLAIMS = """
I've got that down.
Got it down!
I've got you down for 3pm.
I have that noted for tomorrow.
Your reminder is set for 3pm.
Okay, the alarm's set for 7.
You're all set for tomorrow at 3.
You'll get a reminder at 2pm.
I'll ping you at 2pm.
OK, dentist 3pm is on your calendar.
Sure, milk is already on your list.
✅ dentist tomorrow 3pm #99
✔️ Recorded #5 dentist
Dentist Tue 15:00 #99 ✅
OK, 牙醫 3pm 已經在你的清單裡
好的，牙醫已經在你的行事曆上了。
沒問題，午餐 120 已在帳本裡
✅ 牙醫 明天 15:00 #99
✓ 午餐 120 元 #7
你的提醒設在下午三點。
提醒已經設在 14:00 囉
リマインダーは15時に設定されています。
了解です、歯医者はもうカレンダーに入っています。
承知しました、牛乳はリストに入っています。
✅ 歯医者 明日 15:00 #99
โอเค นัดหมอบ่ายสามอยู่ในปฏิทินของคุณแล้ว
ตั้งเตือนไว้ตอนบ่ายสามนะ
✅ หมอฟัน พรุ่งนี้ 15:00 น. #99
記好了！
記好了：12/1（二）15:00 回診 #12。
記下了。
好的，已幫你記下。
已經幫你記下明天下午三點的回診。
我已經把明天的會議加到行事曆了
已經把昨天的晚餐 350 元記好了。
昨天的午餐 120 元記好了
幫你記好囉～
都記好了，還有其他要記的嗎？
好，幫你加到待辦清單。
已新增一筆支出：午餐 120 元。
新增完成，已新增待辦「不要忘記買牛奶」。
已將會議改到 16:00。
改好了。
已經改成四點了
回診改到下午四點了。
已刪除 #12。
刪掉了。
已取消明天的會議
已為您建立行程。
已設定提醒，明天 14:00 通知您。
我會在 14:00 提醒你。
明天早上八點我會再提醒你喔
到時候提醒你。
設好了，12/1（二）14:00 提醒你。
我會記住的。
沒問題，已經記好了。
搞定！
好，已處理。
處理完畢
已經幫你約了。
対応済みです。
了解、手配したよ
ดำเนินการแล้วค่ะ
處理好了。
完成！
好了！
已标记为完成。
已帮您记录：午餐 120 元
记好了，共 210 元。
我这就帮您加进去。
存好了。
這筆支出已登記到飲食。
已更新備註
三筆都幫你記進去了。
我把它排進下週五了。
可以的，已經加好了。
登録しました。
承知しました。明日15時の再診を登録しました。
予定に入れました！
昨日のランチ850円を記録しました。
メモしました。
メモしておきました。
メモっておきました！
追加しておきますね。
記録しておきます。
変更しました。
16時に変更いたしました。
削除しました。
消しておきました。
登録いたしました。ほかにありますか？
登録したよ！
入れといたよ。
保存済みです。
リマインダーを設定しました。
14:00にお知らせします。
明日の朝、リマインドしますね。
完了にしました。
予約が追加されました。
登録完了です。
覚えておきますね。
家計簿に850円を追加しました。
บันทึกแล้ว
บันทึกเรียบร้อยแล้ว
จดไว้ให้แล้ว มีอะไรอีกไหม
เพิ่มนัดหมอ พรุ่งนี้ 15:00 ให้แล้ว
ลบรายการ #12 แล้ว
แก้เวลาเป็น 16:00 แล้ว
ตั้งเตือนไว้เรียบร้อยแล้ว
ได้บันทึกรายการข้าวเที่ยง 80 บาท
เดี๋ยวเตือนตอน 14:00 น.
จะเตือนคุณพรุ่งนี้เช้า
ได้เลย จดให้แล้วนะ
ลงปฏิทินให้แล้ว
เลื่อนนัดเป็นวันศุกร์แล้ว
เรียบร้อยแล้ว
ยกเลิกประชุมแล้ว
จดข้าวเที่ยงเมื่อวาน 80 บาทแล้ว
Saved!
Saved: Tue Dec 1 15:00 dentist.
I've added the dentist to your calendar.
I have saved your lunch for $12.50.
I just logged it.
Done! Anything else?
Got it, I've noted that.
Noted.
Your lunch has been recorded.
The meeting has been moved to 4pm.
Lunch is saved.
It's saved. Do you need anything else?
I’ve scheduled it for Friday.
I've logged yesterday's lunch.
I've added dinner for yesterday.
Sure, I'll remind you at 2pm.
I'll add that to your list.
Okay, deleted.
All set!
I went ahead and deleted it.
I've already added it.
I'm adding it now.
Let me add that to your list.
Reminder set for 2pm.
The record was successfully updated.
It's now on your calendar.
Added 3 items: breakfast, taxi, lunch.
Marked as done.
午餐 120 元記下了，今天共花 385 元。
幫你把牙醫排在明天下午三點囉！
OK，我記住了
我已經記住你喜歡喝拿鐵。
收到，牛奶已加入購物清單。
明天 15:00 的回診已經排進行程，到時候會提醒你。
已經幫您取消了。
那我就幫你把時間改成四點了喔。
沒問題！幫你刪掉了。
已把 #12 標為完成
標記完成了。
那筆刪好了
記錄完成。
幫你設了明天早上七點的提醒
好的，我會提醒你明天下午三點看牙醫。
三筆支出都已入帳。
已經幫你更新囉，新的時間是週五下午兩點。
好，明天下午三點看牙醫，記起來了。
行程建立成功！
新增成功
刪除成功。
已成功新增 3 筆支出
行程已建立
提醒設定好了
已排定
已存入備忘錄
はい、明日の15時に登録しました。
かしこまりました。牛乳を買い物リストに追加しました。
メモに残しました。
カレンダーに入れておきました。
記録完了です！
リストに牛乳を加えました。
#12を消しました。
予定を16時にずらしました。
昼ごはん850円、記録しました。合計は2,140円です。
了解、メモしたよ〜
明日14時にリマインドします。
お知らせしますね。
登録が完了しました。
予定を更新しておきました。
カレンダーに登録済みです。
支出として記録いたしました
จดข้าวเที่ยง 80 บาทเรียบร้อย
เพิ่มลงในปฏิทินแล้วนะ
บันทึกค่าอาหาร 80 บาทแล้ว
ลบให้เรียบร้อยแล้ว
เปลี่ยนเป็นสี่โมงเย็นแล้ว
บันทึกให้แล้วจ้า
โอเค บันทึกแล้ว
ตั้งการแจ้งเตือนให้แล้ว
จะเตือนตอนบ่ายสอง
บันทึกสำเร็จ
ทำเครื่องหมายว่าเสร็จแล้ว
เพิ่มรายการเรียบร้อย
I've put it on your calendar for tomorrow at 3pm.
I've got that saved.
Lunch logged: $12.50.
Your expense was recorded.
Your reminder has been set for 2pm.
All done, your dentist appointment is on the calendar.
I moved your meeting to Friday.
Great, I've marked it as done.
I have now deleted #12.
Consider it done!
You're all set.
I've created a task to buy milk.
Success! The event has been created.
I added milk to your list.
Got it — saved.
I've made a note of that.
I've updated it to 4 pm.
Task added.
Event created for Dec 1.
We've rescheduled it.
I'll make sure to remind you.
I will be reminding you at 2pm.
Okay, removed!
It has been taken care of; milk is on your list.
Perfect. I've set a reminder.
I've recorded that you spent $12.50.
嗯，已經幫你把明天的牙醫約診寫進行程了。
好喔，晚餐 350 幫你記到飲食類。
週六的聚餐已排入行事曆。
我把時間調整為 16:00 了。
好的！我已將「買牛奶」標記為完成
已修改：金額 150 元
已經移到下週一囉
您的行程已成功更新。
記上了
我先幫你記下來，之後再補金額。
行，这条我记下了。
兩筆都清掉了。
全部清光了。
処理しました。
処理完了です。
待辦清單已加上買牛奶。
OK，三筆都進帳本了！
牛乳をリストに入れました。
はい、承りました。10時の会議を予定に追加いたしました。
変更完了しました。
15時から16時に変えました。
その予定、キャンセルしておきました。
アイデアとして保存しました！
時間になったら通知します。
ちゃんと控えておきました。
ลงบันทึกไว้ให้เรียบร้อย
เลื่อนเป็น 16:00 ให้แล้วนะ
เพิ่มค่ากาแฟ 65 บาทแล้ว รวมวันนี้ 385 บาท
จดแล้วจ้า
ตั้งเตือนแล้ว เดี๋ยวเตือนก่อน 1 ชั่วโมง
OK, I've scheduled the dentist for tomorrow at 3 PM.
Your lunch expense of $12.50 has been successfully logged.
I set a reminder for 2pm.
Sure! Milk added to your to-do list.
It's been added to your calendar.
I've cancelled that for you.
I've made that change.
I have rescheduled your appointment to 4pm.
Okay, that's deleted.
That's now saved as an idea.
""".strip().splitlines()

NO_CLAIMS = """
#3 買牛奶 is on your list for tomorrow
#3 買牛奶 is on your list for tomorrow.
Milk is on your list for tomorrow.
Yes, the dentist is on your calendar.
OK, #12 dentist is on your calendar for Tuesday.
OK, nothing is on your calendar yet.
Is your reminder set for 3pm?
Should I get that down for you?
I've got to slow down.
OK, here is what is on your list:
Have the meeting booked by Friday.
Have you got that down?
If you like, I'll ping you at 2pm.
Your reminder is set for 3pm (#12).
✅ 買牛奶 #3 要刪嗎？
找到 2 件：#3 買牛奶 ✓、#4 繳電費
✅ 沒問題
✓ OK
OK，牙醫不在你的清單裡
好的，#12 牙醫已經在你的行事曆上了。
牙醫已經在你的清單裡了嗎？
牛奶在你的清單裡。
提醒要設在幾點？
提醒設在 14:00（回診 #12）。
リマインダーは何時に設定しますか？
はい、歯医者はカレンダーに入っています。
了解です。歯医者はカレンダーに入っていません。
โอเค ยังไม่อยู่ในปฏิทินนะ
นัดหมออยู่ในปฏิทินของคุณ
好
好的，了解。
要我記下嗎？
要我幫你記下來，明天再提醒你嗎？
要不要幫你記？
我可以幫你記。
我可以幫你記下來。
需要的話，我可以幫你加到行事曆。
如果你告訴我金額，我就幫你記。
還沒記。
還沒有記下來，請告訴我金額。
這筆還沒記喔
昨天記的那筆是 120 元。
昨天記了午餐 120 元。
你上次記下的是買牛奶。
之前已經記過了。
你這個月記了 32 筆，共 4,210 元。
本月共記錄了 32 筆。
目前已記錄 3 筆待辦。
你已經有一筆記錄是 120 元
今天有 3 筆記錄。
找到 2 筆紀錄：午餐、晚餐。
無法刪除，找不到這筆。
沒辦法幫你取消，因為找不到。
已經很晚了，早點休息。
我沒有記下任何東西。
這次沒有記下任何東西。
記好了嗎？
已經記了嗎？
你要記什麼？
想記就說「記 買牛奶」。
說「已記下」就可以了
請問要改成幾點？
請先告訴我要刪哪一筆。
順便提醒你帶健保卡。
記得帶健保卡。
你 11/22 記了火鍋 890 元。
不會刪除你的資料。
要刪 #12 嗎？
上次新增的行程是 12/1（二）。
回診是 12/1（二）15:00。
今天 2 件：09:30 早會 #8、18:00 接小孩 #9。
这笔还没记，要我帮您记下来吗？
這個月吃飯 4,210 元，比上月同期少 380。
不客氣！
還沒設定提醒。
是否要取消？
我不能刪除別人的紀錄。
登録しますか？
登録しましょうか？
メモしておきましょうか。
まだ登録していません。
何も登録しませんでした。
登録できませんでした。
登録できます。
よければ、メモしておきます。
金額を教えていただければ記録します。
昨日登録した予定は12/1です。
先週追加しました。
以前に登録しましたか？
今月は42件記録しています。
登録されていません。
記録は見つかりませんでした。
今日の予定は2件です。
「メモ 牛乳」と送ると登録します。
変更する場合は時間を教えてください。
どの予定を削除しますか？
もう登録しましたか？
了解です。
承知しました。
ยังไม่ได้บันทึก
ยังไม่ได้จดอะไร
ไม่ได้ลบ
ให้จดไหม
ให้บันทึกไว้ไหม
อยากให้เพิ่มลงปฏิทินไหม
จดให้ได้นะ ถ้าอยากได้
ถ้าบอกจำนวนเงิน จะบันทึกให้
รายการที่บันทึกไว้แล้วคือข้าวเที่ยง
เมื่อวานจดข้าวเที่ยง 80 บาท
บันทึกแล้วหรือยัง
เดือนที่แล้วใช้ไป 4,210 บาท
ไม่สามารถลบรายการนี้ได้
วันนี้มี 2 นัด
ลองพิมพ์ว่า จด ซื้อนม
เคยจดไว้แล้วเมื่อเดือนก่อน
ได้เลย
OK
Got it.
Should I save it?
Do you want me to add it to your calendar?
I can add that for you.
If you like, I'll add it.
Tell me the amount and I'll log it.
I'll save it once you tell me the amount.
I haven't saved anything.
Nothing was saved.
I couldn't delete it.
It was not saved.
You saved that yesterday.
I logged that last week.
The lunch I logged last week was $12.
You have 3 saved notes.
You added 3 expenses last month.
No expenses have been logged today.
Your dentist appointment is scheduled for Tue Dec 1.
Have you saved it?
Was it deleted?
That was added on Nov 22.
Which one should be deleted?
Let me know if you want it saved.
What would you like to note?
Just say “note buy milk”.
Let me check.
You spent $421 on food this month.
I can't schedule that without a time.
這筆帳要記在哪個類別？
你的行程我查過了，明天沒有安排。
明天沒有排任何行程。
你之前已經把牛奶加到清單了，還要再加一次嗎？
上週五記了 3 筆支出。
這筆是 11/20 記的。
你最近一筆是昨天記下的火鍋。
我沒找到可以刪的紀錄。
目前沒有已完成的待辦。
已完成的有 3 件。
想改時間的話跟我說一聲。
我不確定你要改哪一筆，是 #12 還是 #13？
#12 已經是完成狀態。
這個行程已經過了。
今天已經花了 385 元。
今天還剩 2 件沒做。
記錄顯示你花了 120 元。
你的記錄裡有 3 筆早餐。
可以直接說「刪 #12」。
建議你先把重要的事排好。
別忘了帶健保卡。
加油，快完成了！
會議改到幾點呢？
好的，那就不記了。
好，我不會記。
抱歉，我沒有成功記下來。
記錄失敗，請再試一次。
需要我幫你設提醒嗎
如果要取消，回覆「取消」。
我幫不上忙。
你可以在 Notion 裡修改。
明天會下雨，記得帶傘。
最多的一天是 11/22，記了 5 筆。
早上的會議已經結束了。
醫生說要改藥嗎？
その予定は見つかりません。
登録された予定はありません。
先ほど登録した件ですが、時間は15時です。
登録する内容を教えてください。
変更しますか、それともそのままにしますか？
削除してもよろしいですか？
まだ追加していませんが、追加しましょうか。
今日はもう2,140円使いました。
会議は先週終わりました。
昨日、昼ごはんを記録しましたね。
金額が分かれば登録できます。
保存できませんでした。
削除はしていません。
一番高かったのは焼肉でした。
メモは3件あります。
お役に立ててよかったです。
予定が変更になったら教えてください。
牛乳を買うのを忘れないでくださいね。
ไม่พบรายการที่ต้องการลบ
อยากให้เตือนกี่โมง
จะให้จดเป็นหมวดไหน
ยังไม่มีอะไรถูกบันทึก
วันนี้ใช้ไปแล้ว 385 บาท
ประชุมเสร็จแล้วหรือยัง
บันทึกไม่สำเร็จ
รายการนี้ทำเสร็จแล้วเมื่อวาน
เดือนนี้จดไว้ทั้งหมด 32 รายการ
ลบไม่ได้เพราะหาไม่เจอ
คุณจดไว้แล้วเมื่อวาน
ต้องการให้เพิ่มลงปฏิทินไหม
มีนัดหมอพรุ่งนี้ 15:00
นัดหมอพรุ่งนี้บ่ายสาม
You've already spent $38 today.
The dentist is on Tue Dec 1 at 3pm.
I couldn't find anything to delete.
I didn't save that because the amount is missing.
Would you like that added to your calendar?
Which category should I put it in?
It looks like you added this yesterday.
Your most recent expense was recorded yesterday.
You have nothing scheduled tomorrow.
There are no saved records for that.
The event was created last week.
If it's done, I'll mark it.
You can change it any time.
Happy to help!
I need a time before I can schedule this.
Nothing has been changed.
I won't delete anything without your OK.
You logged 32 expenses this month.
I can set a reminder if you want.
The task is marked as done already.
The biggest one was hotpot.
Done is better than perfect, so they say.
That record doesn't exist or was deleted earlier.
Don't forget to bring your card.
I'm not sure which one you want moved.
To undo, just say undo.
明天下午三點有牙醫，兩點會先經過銀行喔。
你記得帶健保卡嗎？
我查了一下，這個月吃飯花了 4,210 元。
比上個月少花了 380 元，很棒！
這筆還沒有設定分類。
我沒有權限修改別人的行程。
你想改成幾點？
已經兩點了，該出門囉。
已經吃過了嗎？
加油！
加起來是 210 元。
改天再聊。
刪除之前要先確認。
你的會議從 15:00 開始。
好像下雨了。
你最近花比較多在交通上。
對不起，我剛才說錯了。
今天的待辦都還沒完成。
排在最前面的是回診。
存款還剩多少我不知道。
今日の残りはあと2件です。
先月より1,200円多いです。
会議は15時に変更になったそうです。
何時に変更しますか。
登録内容に間違いはありませんか。
消した記録は30日以内なら戻せます。
今週は予定が入っていません。
わかりました、やめておきます。
วันนี้ยังเหลืออีก 2 อย่าง
แก้เป็นกี่โมงดี
เดือนนี้ค่ากิน 4,210 บาท น้อยกว่าเดือนก่อน
กินข้าวแล้วหรือยัง
ไม่มีรายการในวันนี้
เสร็จไปแล้ว 3 อย่าง
You have 2 things left today.
The meeting moved to 4pm is #12.
Deleting is permanent after 30 days.
Your spending changed a lot this month.
I have no record of that.
When should I remind you?
You asked me to save it, but the date is missing.
Done with work for today? Take a rest.
Have a nice day!
Saving $50 a week would help.
You've added a lot this week.
""".strip().splitlines()


@pytest.mark.parametrize("text", CLAIMS)
def test_a_deed_told_or_promised_is_a_claim(text):
    assert claims_saved(text)


@pytest.mark.parametrize("text", NO_CLAIMS)
def test_the_past_a_question_an_offer_or_a_denial_is_no_claim(text):
    assert not claims_saved(text)


@pytest.mark.parametrize("claim", ["記好了。", "登録しました。", "บันทึกแล้ว\n", "I've saved it. "])
@pytest.mark.parametrize("other", ["今天有 2 件事。", "還沒記嗎？", "Should I save it?\n", "まだです。"])
def test_one_claim_among_other_sentences_is_enough(claim, other):
    assert claims_saved(other + claim)
    assert claims_saved(claim + other)
    assert not claims_saved(other)


def test_no_words_claim_nothing():
    assert not claims_saved("")
    assert not claims_saved("\n？！…")


def test_a_claim_is_taken_out_and_the_rest_stays_as_it_was_said():
    assert without_claims("記好了！今天還有 2 件事。") == "今天還有 2 件事。"
    assert without_claims("The dentist is at 3pm. I’ve saved it.") == "The dentist is at 3pm."
    assert without_claims("今日は2件です。\n登録しました。") == "今日は2件です。"
    assert without_claims("记好了。你想改成几点？") == "你想改成几点？"
    assert without_claims("記好了。") == ""


def test_a_text_without_claims_is_left_as_it_is():
    text = "  今天 2 件：\n・早會 “standup”\n\n要我記下嗎？ "
    assert without_claims(text) == text


VISIT = "記好了：12/1（二）15:00 跟陳醫師回診 #12。14:00 提醒你。"
LUNCH = "午餐 120 元・飲食 #13　今天 385・本月飲食 4,210"
THREE = "3 筆都記好了，共 210 元：早餐 60、捷運 30、午餐 120 #14–16"
SAISHIN = "入れました：12/1（火）15:00 田中先生の再診 #12。14:00にお知らせします。"
HIRU = "昼ごはん 850円・食費 #13　今日 2,140円・今月の食費 31,400円"
MOH = "ลงนัดแล้ว: อ. 1 ธ.ค. 15:00 น. หมอนัด #12\nจะเตือน 14:00 น."
KHAO = "ข้าวเที่ยง 80 บาท · อาหาร #13\nวันนี้ 385 บาท · อาหารเดือนนี้ 4,210 บาท"
DENTIST = "Saved: Tue Dec 1 15:00 dentist #12. Reminder: 14:00."
LUNCH_EN = "Lunch $12.50 · Food #13\nToday $38.50 · Food this month $421"
GONE = "刪了：買牛奶 #15，30 天內說「復原」就回來。"
MOVED = "改好了：15:00 → 16:00 回診 #12。"

REPEATED = {
    GONE: """
好，刪掉了。
已刪除「買牛奶」。
買牛奶 #15 已取消。
""",
    VISIT: """
好的！已經幫你記下明天下午 3 點跟陳醫師的回診。
沒問題，已安排好明天下午三點跟陳醫師回診。
OK，記住了
好
好的！
好的，了解。
OK
OK 👌
沒問題！
收到～
記好了！
已幫你記下了。
好的，已經幫你記下來囉！
已新增行程：跟陳醫師回診。
好的，12/1（二）15:00 跟陳醫師回診，14:00 會提醒你。
已經幫你把 12/1 15:00 跟陳醫師的回診加到行事曆了。
好，明天下午三點跟陳醫師回診，記下了。
已安排 12月1日（星期二）下午3點跟陳醫師回診，下午2點提醒你。
好的，已记录。
搞定，#12。
👍
""",
    LUNCH: """
收到，午餐120元記好囉
好的，已經記錄午餐花費 120 元。
記下了：午餐 120 元。
好的，午餐 120 元已記錄，今天共 385 元。
已新增一筆支出：午餐 120 元（飲食）。
本月飲食 4,210 元。
""",
    THREE: """
三筆都記好了，共 210 元。
早餐 60、捷運 30、午餐 120，都幫你記下了！
""",
    MOVED: """
改好了，回診 16:00。
好的，回診改到下午四點了。
""",
    SAISHIN: """
はい、承知いたしました。
田中先生の再診を12/1（火）15:00で登録いたしました。
了解！メモしたよ
承知しました。
はい、登録しました！
了解です。12/1（火）15:00に田中先生の再診を登録しました。
12月1日15時、田中先生の再診ですね。
明日15時に再診を入れました。14時にお知らせします。
かしこまりました。
""",
    HIRU: """
昼ごはん850円を記録しました。
承知しました。今日は2,140円です。
""",
    MOH: """
ได้เลย
บันทึกแล้ว
จดหมอนัดให้แล้วนะ
โอเค ลงนัดแล้ว 15:00 น.
""",
    KHAO: """
โอเค จดข้าวเที่ยง 80 บาทแล้ว
รับทราบ
จดแล้ว ข้าวเที่ยง 80 บาท
เรียบร้อย วันนี้รวม 385 บาท
""",
    DENTIST: """
Sure thing!
Your dentist appointment is set for Tuesday at 3pm.
All set! Dentist, Tue Dec 1, 15:00.
OK
Got it!
Done.
Noted.
No problem!
I've added the dentist to your calendar.
Saved: dentist, Tue Dec 1 at 3pm.
I've scheduled the dentist for tomorrow at 3:00 PM. I'll remind you at 2pm.
""",
    LUNCH_EN: """
Logged lunch for $12.50.
Got it, lunch is saved under Food.
""",
}

BEYOND = {
    GONE: """
豆漿還在清單上。
已刪除買豆漿。
還有 2 筆買牛奶。
""",
    VISIT: """
好，陳醫師那天看診到五點。
要空腹喔
早點出門
你 14:00 還有會
加油
好的，記得帶健保卡。
記好了！記得帶健保卡。
好。那天下午五點還有接小孩，時間有點趕。
已記下，但那天你已經有會議了。
要順便提醒你空腹嗎？
還有別的嗎？
好的，12/2（三）15:00 回診。
好的，16:00 跟陳醫師回診。
已記下跟林醫師的回診。
沒有記下來。
地點是台大醫院嗎？
明天會下雨，帶傘。
祝早日康復。
""",
    LUNCH: """
今天吃得不錯
已經超過預算了
今天花最多的是午餐
已記下午餐 150 元。
這個月飲食快到 5,000 了。
早餐要不要也記？
比昨天多 50。
飲食佔了本月一半。
晚餐 120 元記好了。
""",
    THREE: """
四筆都記好了。
共 310 元。
咖啡也記了。
""",
    MOVED: """
改到下午五點了。
16:00 剛好接在會議後面。
""",
    SAISHIN: """
お大事に。
前の予定と重なります。
14:00だと早すぎませんか
保険証をお忘れなく。
登録しました。ほかにもありますか？
承知しました。その日は会議もあります。
12/2に登録しました。
場所はどこですか
まだ登録していません。
""",
    HIRU: """
夕食 850円を記録しました。
今月は少し多めです。
""",
    MOH: """
อย่าลืมพกบัตรประชาชน
บันทึกแล้ว มีอะไรอีกไหม
ยังไม่ได้บันทึก
จดนัด 16:00 น. แล้ว
""",
    KHAO: """
กินให้อร่อย
ใกล้เต็มงบแล้ว
เดือนนี้ใช้เยอะกว่าเดือนก่อน
จดข้าวเย็น 80 บาทแล้ว
""",
    DENTIST: """
You have 2 other things that day.
Good luck!
That's your third dentist visit this year.
It's 30 minutes away.
Don't forget your insurance card.
Got it. You also have a meeting at 16:00 that day.
I've added the dentist at 4pm.
Anything else?
I couldn't save the dentist.
Your doctor is on leave.
Bring an umbrella!
""",
    LUNCH_EN: """
You've spent more than usual this month.
Dinner is logged.
Lunch was $15.20.
""",
}


def pairs(table):
    return [(receipt, text) for receipt, texts in table.items() for text in texts.strip().splitlines()]


@pytest.mark.parametrize(("receipt", "text"), pairs(REPEATED))
def test_a_nod_or_a_repetition_is_dropped(receipt, text):
    assert beyond_receipt(text, receipt) == ""


@pytest.mark.parametrize(("receipt", "text"), pairs(BEYOND))
def test_a_text_that_says_more_is_kept_whole(receipt, text):
    assert beyond_receipt(text, receipt) == text
    assert beyond_receipt(f"好的。\n{text}", receipt) == f"好的。\n{text}"


@pytest.mark.parametrize("text", ["好", "不客氣！", "OK", "記好了"])
def test_without_a_receipt_nothing_is_a_repetition(text):
    assert beyond_receipt(text, "") == text
    assert beyond_receipt(text, " \n") == text


def test_no_text_adds_nothing():
    assert beyond_receipt("", VISIT) == ""
    assert beyond_receipt(" \n", VISIT) == ""


@pytest.mark.parametrize(
    "text",
    [
        "了解です。歯医者はもうカレンダーに入っています。",
        "好的！牙醫已經在你的行事曆上了。",
        "OK! The dentist is now on your calendar.",
        "Sure. It's on your list.",
    ],
)
def test_a_yes_and_that_it_stands_where_it_should_is_a_claim_in_two_sentences_too(text):
    assert claims_saved(text)


def test_marks_in_a_list_of_what_was_found_are_no_forged_receipt():
    found = "已完成的 2 件：\n✅ 買牛奶 #3\n✅ 繳電費 #4"

    assert without_claims(found) == found
    assert without_claims("好的：\n✅ 牙醫 明天 15:00 #99") == "好的："


PUMPED = [
    " ",
    "\t",
    "　",
    "\n",
    "「",
    "『",
    '"',
    "(",
    "1",
    "a ",
    ",",
    "，",
    "1:",
    "記",
    "已",
    "已經",
    "不記了",
    "將",
    "I ",
    "OK\n",
    "✅#1",
]


@pytest.mark.parametrize("pump", PUMPED)
@pytest.mark.parametrize("start", ["", "好的", "要"])
def test_a_text_made_to_be_slow_is_judged_at_once(pump, start):
    text = (start + pump * 20_000)[:20_000] + "甲"

    assert _is_quick(lambda: without_claims(text))
    assert _is_quick(lambda: beyond_receipt(text, VISIT))
    assert _is_quick(lambda: beyond_receipt(text[:4_999], VISIT))
    assert _is_quick(lambda: beyond_receipt("好的", text))


SLOW = 0.5
"""Seconds of the processor: a quadratic pattern takes many here, a sound one some hundredths, and a multiple of that
while its lines are counted."""


def _is_quick(work: Callable[[], object]) -> bool:
    """Whether one of a few tries takes less: a busy machine is no slow pattern."""
    for _ in range(4):
        started = time.process_time()
        work()
        if time.process_time() - started < SLOW:
            return True
    return False


def test_words_of_a_very_long_text_are_never_taken_for_a_repetition():
    assert beyond_receipt("好的" + " " * 20_000, VISIT) == "好的" + " " * 20_000


@pytest.mark.parametrize("place", ["front", "back"])
def test_a_claim_is_found_at_either_end_of_a_very_long_text(place):
    story = "今天有 2 件事。" * 3_000
    text = f"記好了。{story}" if place == "front" else f"{story}記好了。"

    assert without_claims(text) == story
