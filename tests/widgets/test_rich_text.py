"""Plain text in rich text: nothing of it is markup."""

import html

import pytest

from pe_explorer.widgets.labels import escape_html, format_paragraph


@pytest.mark.parametrize("text", ["", "a < b & c > d", '"it\'s"', "&amp;", "<b>θ</b>\n", "🙂"])
def test_it_is_escaped_as_the_standard_library_does_it(text):
    assert escape_html(text) == html.escape(text)
    assert format_paragraph(text) == f"<p>{html.escape(text)}</p>"
