"""Which network addresses a crawler may connect to."""

from __future__ import annotations

import ipaddress

_NAT64 = ipaddress.ip_network("64:ff9b::/96")


def is_public_address(address: str) -> bool:
    """Whether ``address`` (IPv4 or IPv6 as text) is a global unicast address.

    Private, loopback, link-local (cloud metadata services live there), multicast, reserved and
    unspecified addresses are not, also when wrapped into IPv6 (mapped, NAT64, 6to4, Teredo).
    """
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        wrapped = _wrapped_ipv4(ip)
        if wrapped is not None:
            return is_public_address(str(wrapped))
    return ip.is_global and not ip.is_multicast and not ip.is_reserved


def _wrapped_ipv4(ip: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    if ip in _NAT64:
        return ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
    if ip.teredo is not None:
        return ip.teredo[1]
    return ip.ipv4_mapped or ip.sixtofour
