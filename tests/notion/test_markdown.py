"""Markdown and blocks: what people write keeps its form there and back, within what Notion takes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.emulators.notion_workspace import Workspace
from tools.notion.from_markdown import blocks, paragraph
from tools.notion.pieces import plain_text
from tools.notion.to_markdown import markdown, told_alone

PAGE = """## 東京

先訂**機票**，再看 [官網](https://a.example/x) 或 https://b.example/y_z。
*第二行*，~~不要~~，`code`，**全部 `x` 都 [要](https://a.example/z)**

- 蛋
- 牛奶
  1. 低脂
  2. 全脂
- [ ] 付款
- [x] 訂房

1. 一
2. 二

> 引用
> 第二句

```python
if a < b:
    print("**x**")
```

---

結束"""


def kinds(standing: list[dict[str, Any]]) -> list[str]:
    return [each["type"] for each in standing]


def test_headings_lists_to_dos_quotes_and_code_are_what_they_are():
    made = blocks(PAGE)
    assert kinds(made) == [
        "heading_2", "paragraph", "bulleted_list_item", "bulleted_list_item", "to_do", "to_do", "numbered_list_item",
        "numbered_list_item", "quote", "code", "divider", "paragraph",
    ]  # fmt: skip
    assert kinds(made[3]["bulleted_list_item"]["children"]) == ["numbered_list_item"] * 2
    assert [each["to_do"]["checked"] for each in made[4:6]] == [False, True]
    assert made[9]["code"]["language"] == "python"
    styled = {piece["text"]["content"]: piece for piece in made[1]["paragraph"]["rich_text"]}
    assert styled["機票"]["annotations"] == {"bold": True}
    assert styled["官網"]["text"]["link"] == {"url": "https://a.example/x"}
    assert styled["https://b.example/y_z"]["text"]["link"] == {"url": "https://b.example/y_z"}


def test_a_page_comes_back_as_it_was_written():
    assert markdown(blocks(PAGE)) == PAGE


@pytest.mark.parametrize(
    "text",
    [
        "3 * 4 = 12", "#12 是回診", "a_b_c", "5. 五\n6. 六", "<b>x</b> &amp; &lt;", "價格：\n120", "**x", "1 < 2",
        "[x](javascript:alert)", "[x](/y)", "a|b\n-|-\n1|2", "~5%", "標題\n===", "12. 月", "\t縮排",
    ],
)  # fmt: skip
def test_what_only_looks_like_markdown_stays_as_it_is(text):
    (block,) = blocks(text)
    assert "".join(each["text"]["content"] for each in block["paragraph"]["rich_text"]) == text.strip()
    assert markdown([block]) == text.strip()


@pytest.mark.parametrize(
    "text", ["# x", "- x", "1. x", "> x", "**x**", "```\nx", "---", "`x`", "[ ] [a](https://b.c)", "\\*"]
)
def test_words_that_are_no_markdown_in_notion_are_none_when_they_are_read(text):
    told = told_alone(paragraph(text))
    assert told is not None
    (again,) = blocks(told)
    assert again["type"] == "paragraph"
    assert plain_text(again["paragraph"]["rich_text"]) == text
    assert told_alone(again) == told


def test_what_notion_does_not_take_as_structure_is_plain_text():
    for text in ("*a* " * 150, "- a\n" * 1000, "- a\n" + "  - b\n" * 150):
        (block,) = blocks(text)
        assert block["type"] == "paragraph"
    deep = blocks("- a\n  - b\n    - c\n      - d\n        - e")
    below = deep[0]["bulleted_list_item"]["children"][0]["bulleted_list_item"]["children"]
    assert kinds(below) == ["bulleted_list_item"] * 3


def test_a_picture_is_a_link_to_it_and_a_link_without_words_shows_where_it_leads():
    assert markdown(blocks("![圖](https://a.example/x)[](https://a.example/y)")) == (
        "[圖](https://a.example/x)https://a.example/y"
    )


def test_what_has_no_words_is_let_be():
    image = {"type": "image", "image": {"type": "external", "external": {"url": "https://a.example/x"}}}
    page = {"type": "child_page", "child_page": {"title": "x"}}
    callout = {"type": "callout", "callout": {"rich_text": [{"plain_text": "注意"}], "icon": None}}
    assert markdown([image, callout, page]) == "> 注意"


lines = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
    st.text("ab字 *_~`[]()<>#-+.!>1\\\n\t", max_size=40),
    st.sampled_from(["- x", "  - y", "    - z", "1. x", "> x", "# x", "```", "---", "- [ ] x", "**b** *i*", ""]),
)


@settings(max_examples=200)
@given(st.lists(lines, max_size=8).map("\n".join))
def test_any_text_becomes_blocks_that_notion_takes_and_is_the_same_page_again(text):
    workspace = Workspace()
    made = blocks(text)
    for start in range(0, len(made), 100):
        workspace.content({"children": made[start : start + 100]})
    once = markdown(made)
    assert markdown(blocks(once)) == once
