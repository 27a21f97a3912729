"""Sites for a verification: shops of three kinds, and hosts that are none."""

from __future__ import annotations

import itertools

from aiohttp import web
from web_of_test import WebServer

BOOK = (
    "정가 15,000원 판매가 13,500원 장바구니 바로구매 출판사 한빛 출판일 2024년 저자 김하나 지음 도서명 책 "
    "320쪽 양장 책소개 목차 ISBN 9788968481475"
)
MENU = "로그인 회원가입 고객센터 이벤트 회사소개"
TEXT = "이 기관의 소식을 알리는 글이다. 자세한 내용은 문의하기 바란다. "


def page(title: str, text: str, links: list[str]) -> str:
    anchors = "".join(f'<p><a href="{url}">글</a></p>' for url in links)
    return f'<!DOCTYPE html><html lang="ko"><head><meta charset="utf-8"><title>{title}</title></head><body><p>{text}</p>{anchors}</body></html>'


def add_shop(server: WebServer, host: str, item: str, *, books: int = 12) -> None:
    """A shop whose products are at ``item`` (with ``{}`` for the number), behind a home page, a menu and three lists."""
    menu = ["/login", "/help", "/about"]
    lists = [f"/list?cat={number}" for number in range(3)]
    items = [item.format(9788968481000 + number) for number in range(books)]
    server.pages[host, "/"] = page(host, MENU, [*menu, *lists])
    for url in menu:
        server.pages[host, url] = page(url, MENU, ["/"])
    for number, url in enumerate(lists):
        server.pages[host, url] = page(url, MENU + " 국내도서 목록", [*menu, *items[number::3]])
    for number, url in enumerate(items):
        server.pages[host, url] = page(f"책 {number}", BOOK, [*menu, items[(number + 1) % books]])


def add_calendar(server: WebServer, host: str) -> None:
    """A trap: each day links to the next two, for ever."""

    async def day(request: web.Request) -> web.Response:
        number = int(request.query.get("day", 0))
        links = [f"/calendar?day={number + 1}", f"/calendar?day={number + 2}", f"/event/{number}"]
        return web.Response(text=page(f"{number}", TEXT, links), content_type="text/html")

    server.pages[host, "/"] = page(host, TEXT, ["/calendar?day=0"])
    for number in range(400):
        server.pages[host, f"/calendar?day={number}"] = day
        server.pages[host, f"/event/{number}"] = page(f"행사 {number}", TEXT, ["/"])


def add_broken(server: WebServer, host: str) -> None:
    """A host that answers 500, whatever it is asked."""

    async def broken(request: web.Request) -> web.Response:
        return web.Response(status=500, text="no")

    server.pages[host, "/"] = broken


def add_moved(server: WebServer, host: str, target: str) -> None:
    """A host whose home page is elsewhere."""

    async def moved(request: web.Request) -> web.Response:
        return web.Response(status=301, headers={"Location": target})

    server.pages[host, "/"] = moved


SHOPS = {
    "a.shop.example": "/item.asp?id={}",
    "b.shop.example": "/product/{}",
    "c.shop.example": "/book/{}-a-long-title",
}
OTHERS = ("calendar.example", "broken.example", "moved.example")
SITES = [f"http://{host}/" for host in itertools.chain(SHOPS, OTHERS)]


def add_six_sites(server: WebServer) -> None:
    """Three shops and three hosts that are none."""
    for host, item in SHOPS.items():
        add_shop(server, host, item)
    add_calendar(server, OTHERS[0])
    add_broken(server, OTHERS[1])
    add_moved(server, OTHERS[2], "http://elsewhere.example/")
    server.pages["elsewhere.example", "/"] = page("elsewhere", TEXT, [])
