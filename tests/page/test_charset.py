"""The text of a body, whatever it claims to be written in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler_project.page.charset import MAX_BODY, decode

KOREAN = (
    "동네 도서관은 평일 아침 아홉 시에 문을 엽니다. 새로 들어온 책은 이 층 열람실에서 빌릴 수 있고, "
    "어린이를 위한 이야기 시간은 토요일 오후에 있습니다. 주차장이 좁으니 버스를 타고 오세요."
)
JAPANESE = (
    "山の上の小さな宿では、毎朝パンを焼いています。予約は電話かメールでお願いします。雪の季節はタイヤにご注意ください。"
)
CHINESE = "这家茶馆每天上午十点开门，老板自己种茶，也欢迎客人参观茶园。周末常有音乐会，座位不多，请提前打电话预订。"
TRADITIONAL = (
    "這家書店專賣舊書與地圖，老闆對臺灣的鐵路歷史很有研究。每個月第一個星期六有讀書會，歡迎自由參加，不需要報名。"
)
THAI = "ร้านกาแฟริมคลองเปิดทุกวันตั้งแต่เจ็ดโมงเช้า มีขนมปังอบใหม่และน้ำผลไม้ตามฤดูกาล ลูกค้าประจำมักนั่งอ่านหนังสือพิมพ์ใต้ต้นมะม่วง"
RUSSIAN = "Городская библиотека открыта по будням с девяти утра. Новые книги можно взять на втором этаже, а дети приходят на сказки."
FRENCH = "La bibliothèque du quartier ouvre à neuf heures. Les élèves y préparent leurs exposés, et l'été on lit dehors, près du château."
CZECH = "Městská knihovna otevírá v devět hodin. Děti sem chodí na pohádky, studenti si půjčují učebnice a důchodci čtou noviny u okna."
GREEK = (
    "Η βιβλιοθήκη της γειτονιάς ανοίγει στις εννέα το πρωί και τα παιδιά έρχονται το Σάββατο για παραμύθια στον κήπο."
)
HEBREW = "הספרייה השכונתית נפתחת בתשע בבוקר, והילדים באים בשבת לשמוע סיפורים בגינה שמאחורי הבניין הישן."

LEGACY = (
    ("euc_kr", "euc-kr", "kr", KOREAN),
    ("cp949", "euc-kr", "kr", KOREAN + " 펲시콜라 뷁 똠방각하"),
    ("shift_jis", "shift_jis", "jp", JAPANESE),
    ("euc_jp", "euc-jp", "jp", JAPANESE),
    ("iso2022_jp", "iso-2022-jp", "jp", JAPANESE),
    ("gb2312", "gb18030", "cn", CHINESE),
    ("gb18030", "gb18030", "cn", CHINESE),
    ("big5", "big5", "tw", TRADITIONAL),
    ("tis_620", "windows-874", "th", THAI),
    ("cp1251", "windows-1251", "ru", RUSSIAN),
    ("iso8859_5", "iso-8859-5", "ru", RUSSIAN),
    ("cp866", "ibm866", "ru", RUSSIAN),
    ("mac_cyrillic", "x-mac-cyrillic", "ru", RUSSIAN),
    ("cp1252", "windows-1252", "fr", FRENCH),
    ("cp1250", "windows-1250", "cz", CZECH),
    ("iso8859_7", "iso-8859-7", "gr", GREEK),
    ("cp1255", "windows-1255", "il", HEBREW),
)
CJK_AND_THAI = tuple(case for case in LEGACY if case[2] in {"kr", "jp", "cn", "tw", "th"} and case[0] != "iso2022_jp")


def page_of(text: str, declared: str = "") -> str:
    meta = f'<meta http-equiv="Content-Type" content="text/html; charset={declared}">' if declared else ""
    return f"<html><head>{meta}<title>{text[:12]}</title></head>\n<body><p>{text}</p></body></html>"


@pytest.mark.parametrize(("codec", "name", "tld", "text"), LEGACY, ids=[case[0] for case in LEGACY])
def test_decode_guesses_the_charset_when_nothing_is_declared(codec: str, name: str, tld: str, text: str) -> None:
    decoded = decode(page_of(text).encode(codec), "", tld)
    assert decoded.text == page_of(text)
    assert (decoded.charset, decoded.source, decoded.declared) == (name, "guess", "")


@pytest.mark.parametrize(("codec", "name", "tld", "text"), LEGACY, ids=[case[0] for case in LEGACY])
def test_decode_takes_the_charset_of_the_header(codec: str, name: str, tld: str, text: str) -> None:
    decoded = decode(page_of(text).encode(codec), f"text/html; charset={name}")
    assert decoded.text == page_of(text)
    assert (decoded.charset, decoded.source, decoded.declared) == (name, "header", name)


@pytest.mark.parametrize(("codec", "name", "tld", "text"), LEGACY, ids=[case[0] for case in LEGACY])
def test_decode_takes_the_charset_of_the_tag(codec: str, name: str, tld: str, text: str) -> None:
    decoded = decode(page_of(text, name).encode(codec), "text/html")
    assert decoded.text == page_of(text, name)
    assert (decoded.charset, decoded.source, decoded.declared) == (name, "meta", name)


@pytest.mark.parametrize(
    "lie", ["utf-8", "iso-8859-1", "windows-1251", "euc-kr", "shift_jis", "gb2312", "big5", "koi8-r"]
)
@pytest.mark.parametrize(("codec", "name", "tld", "text"), CJK_AND_THAI, ids=[case[0] for case in CJK_AND_THAI])
def test_decode_does_not_believe_a_lie(codec: str, name: str, tld: str, text: str, lie: str) -> None:
    body = page_of(text, lie).encode(codec)
    for content_type in ("", f"text/html; charset={lie}"):
        assert decode(body, content_type, tld).text == page_of(text, lie)
    assert decode(page_of(text, name).encode(codec), f"text/html; charset={lie}", tld).text == page_of(text, name)
    assert decode(body, f"text/html; charset={name}", tld).text == page_of(text, lie)


def test_decode_says_what_was_declared_when_it_was_a_lie() -> None:
    decoded = decode(page_of(KOREAN).encode("euc_kr"), "text/html; charset=ISO-8859-1", "kr")
    assert (decoded.charset, decoded.source, decoded.declared) == ("euc-kr", "guess", "windows-1252")


def test_decode_keeps_utf_8_whatever_is_declared() -> None:
    body = page_of(KOREAN, "euc-kr").encode()
    decoded = decode(body, "text/html; charset=shift_jis")
    assert (decoded.text, decoded.charset, decoded.source) == (page_of(KOREAN, "euc-kr"), "utf-8", "utf-8")
    assert decoded.declared == "shift_jis"


@pytest.mark.parametrize("broken", [KOREAN.encode()[:-2], KOREAN.encode().replace(b"\xeb", b"\xff", 1)])
def test_decode_reads_utf_8_with_a_broken_character_as_utf_8(broken: bytes) -> None:
    decoded = decode(broken)
    assert decoded.charset == "utf-8"
    assert 0 < decoded.text.count("\ufffd") <= 3


@pytest.mark.parametrize(
    ("mark", "codec", "name"),
    [
        (b"\xef\xbb\xbf", "utf-8", "utf-8"),
        (b"\xff\xfe", "utf-16-le", "utf-16le"),
        (b"\xfe\xff", "utf-16-be", "utf-16be"),
        (b"\xff\xfe\0\0", "utf-32-le", "utf-32le"),
    ],
)
def test_decode_obeys_a_byte_order_mark(mark: bytes, codec: str, name: str) -> None:
    decoded = decode(mark + KOREAN.encode(codec), "text/html; charset=euc-kr")
    assert (decoded.text, decoded.charset, decoded.source, decoded.declared) == (KOREAN, name, "bom", "euc-kr")


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("text", [page_of(FRENCH), page_of(KOREAN), CHINESE + "\n" + CHINESE + "\n"])
def test_decode_finds_wide_characters_without_a_mark(codec: str, text: str) -> None:
    if text.startswith("<") or codec.startswith("utf-32"):
        assert decode(text.encode(codec)).text == text


def test_decode_is_not_misled_by_stray_zeros() -> None:
    body = page_of(KOREAN).encode().replace(b"<p>", b"<p>\0\0")
    assert decode(body).charset == "utf-8"


def test_decode_reads_characters_that_only_browsers_know() -> None:
    assert decode(b"\xad\xa1" + JAPANESE.encode("euc_jp"), "text/html; charset=euc-jp").text == "①" + JAPANESE
    assert decode("㈱①".encode("cp932") + JAPANESE.encode("cp932"), "text/html; charset=x-sjis").text.startswith("㈱①")
    assert decode(b"\x80 " + CHINESE.encode("gbk"), "text/html; charset=gb2312").text == "€ " + CHINESE


@pytest.mark.parametrize(("codec", "name", "tld", "text"), CJK_AND_THAI, ids=[case[0] for case in CJK_AND_THAI])
@pytest.mark.parametrize("content_type", ["", "text/html; charset={name}", "text/html; charset=iso-8859-1"])
def test_decode_finds_the_charset_when_characters_were_cut_in_two(
    codec: str, name: str, tld: str, text: str, content_type: str
) -> None:
    titles = [text[start : start + 14].encode(codec) for start in range(0, 84, 6)]
    titles[3] = titles[3][:5] + b".."
    titles[8] = titles[8][:9] + b".."
    body = b"<ul><li>" + b"</li>\n<li>".join(titles) + b"</li></ul>"
    decoded = decode(body, content_type.format(name=name), tld)
    assert decoded.charset == name
    assert all(f"<li>{text[start : start + 14]}</li>" in decoded.text for start in (0, 12, 60))


def test_decode_stays_in_step_after_an_unknown_pair() -> None:
    body = b"\xc9\xa1" + KOREAN.encode("euc_kr")
    assert decode(body, "text/html; charset=euc-kr").text == "\ufffd" + KOREAN


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("KS_C_5601-1987", "euc-kr"),
        ("windows-949", "euc-kr"),
        ("x-sjis", "shift_jis"),
        ("GBK", "gb18030"),
        ("ISO-8859-11", "windows-874"),
        ("latin1", "windows-1252"),
        ("iso-8859-8-i", "iso-8859-8"),
        ("x-mac-cyrillic", "x-mac-cyrillic"),
        ("utf8", "utf-8"),
        ("utf-7", ""),
        ("rot13", ""),
        ("base64", ""),
        ("undefined", ""),
        ("nonsense", ""),
    ],
)
def test_decode_knows_a_label_by_its_name_in_the_standard(label: str, name: str) -> None:
    assert decode(b"a", f"text/html; charset={label}").declared == name
    assert decode(page_of("a", label).encode()).declared == name


def test_decode_believes_a_short_text_that_fits_its_declaration() -> None:
    assert decode("가격표".encode("euc_kr"), "text/html; charset=euc-kr").text == "가격표"
    assert decode("cafés à Genève".encode("latin-1"), "text/html; charset=iso-8859-1", "kr").text == "cafés à Genève"


@pytest.mark.parametrize("tld", ["", "kr", ".kr", "KR", "한국", "xn--3e0b707e", "a" * 300, "\ud800", "\0", "é.."])
def test_decode_takes_any_top_level_domain(tld: str) -> None:
    assert decode(page_of(KOREAN).encode("euc_kr"), "", tld).text == page_of(KOREAN)


@given(st.binary(max_size=300), st.text(max_size=30), st.text(max_size=5))
def test_decode_never_raises_and_always_names_what_it_did(body: bytes, label: str, tld: str) -> None:
    decoded = decode(body, f"text/html; charset={label}", tld)
    assert decoded.source in {"bom", "utf-8", "header", "meta", "guess"}
    assert decoded.charset == decoded.charset.lower() != ""
    decoded.text.encode()


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\x1b\ufeff")))
def test_decode_gives_back_what_was_encoded_in_utf_8(text: str) -> None:
    assert decode(text.encode(), "text/html; charset=euc-kr").text == text


@pytest.mark.parametrize(
    "chunk", [b"a", b"\x80", b"\xff", b"<\x80", b"\x1b$B", b"\xa3\xe1", b"\x00", b"<meta ", b"\xb0\xa1", b"\xe0\x80"]
)
def test_decode_of_ten_megabytes_takes_less_than_a_second(chunk: bytes, within: Callable[..., Any]) -> None:
    body = chunk * (10_000_000 // len(chunk))
    decoded = within(1, lambda: decode(body, "text/html; charset=big5"))
    assert len(decoded.text) <= MAX_BODY
