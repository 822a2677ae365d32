"""Reads a page of `kuaimi-lab report` in Chromium: `report_check.py PAGE FOLDER`.

Fails on an error in the console, a table that does not sort or filter, a chart whose values do not show, a language that does not
switch, and anything that reaches beyond the window at 360, 1210 or 1440 pixels. Writes screenshots into the folder.
"""

import base64
import re
import sys
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

page, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2])


def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ["--headless=new", "--hide-scrollbars", "--lang=en", "--disable-dev-shm-usage", "--force-device-scale-factor=1"]:
        options.add_argument(argument)
    # Chromium's own walls between processes cannot be put up by root, as in containers. The page is ours.
    options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(executable_path="/usr/bin/chromedriver")
    return webdriver.Chrome(options=options, service=service)


driver = browser()


def show(width, scheme, media=""):
    """Loads the page anew in a window of this width."""
    command = driver.execute_cdp_cmd
    command("Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600})
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    command("Emulation.setEmulatedMedia", {"media": media, "features": features})
    driver.get(page.as_uri())


def shot(name, height=None):
    clip = driver.execute_script("return [document.documentElement.clientWidth, document.documentElement.scrollHeight]")
    clip = {"x": 0, "y": 0, "width": clip[0], "height": min(clip[1], height or 2400), "scale": 1}
    data = driver.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip})["data"]
    (folder / f"{page.stem}-{name}.png").write_bytes(base64.b64decode(data))


def no_overflow(width):
    """Nothing that is to be seen begins or ends outside the window, and nothing can be scrolled sideways."""
    beyond = driver.execute_script(
        """
        const width = document.documentElement.clientWidth;
        const beyond = [];
        for (const element of document.body.querySelectorAll("*")) {
          const box = element.getBoundingClientRect();
          if (box.width === 0 || getComputedStyle(element).visibility === "hidden") continue;
          const sideways = element.scrollWidth > element.clientWidth + 1 && /auto|scroll|hidden/.test(getComputedStyle(element).overflowX);
          if (box.left < -0.5 || box.right > width + 0.5 || sideways)
            beyond.push(`${element.tagName}.${element.getAttribute("class")} ${box.left}..${box.right} ${element.textContent.slice(0, 60)}`);
        }
        return beyond;
        """
    )
    scroll = driver.execute_script("return document.documentElement.scrollWidth")
    assert not beyond and scroll <= width, f"beyond the window of {width} pixels ({scroll}):\n" + "\n".join(beyond[:10])


def tables():
    return driver.find_elements(By.CSS_SELECTOR, ".table")


def column(table, index):
    """A column's cells that are to be seen, as they are sorted: numbers, or texts."""
    return driver.execute_script(
        """
        const [table, index] = arguments;
        return Array.from(table.querySelectorAll("tbody tr:not([hidden])"), (row) => {
          const cell = row.cells[index];
          return "value" in cell.dataset ? (cell.dataset.value === "" ? null : Number(cell.dataset.value)) : cell.textContent;
        });
        """,
        table,
        index,
    )


def sorts(table):
    heads = table.find_elements(By.CSS_SELECTOR, "thead th")
    for index, head in enumerate(heads):
        numbers = head.get_attribute("data-kind") == "number"
        for order in ("descending", "ascending") if numbers else ("ascending", "descending"):
            button = head.find_element(By.TAG_NAME, "button")
            driver.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", button)
            button.click()
            assert head.get_attribute("aria-sort") == order, f"{head.text}: {head.get_attribute('aria-sort')}"
            cells = column(table, index)
            if numbers:
                known = [cell for cell in cells if cell is not None]
                assert cells[: len(known)] == known, f"{head.text}: what has no figure is not last"
                assert known == sorted(known, reverse=order == "descending"), f"{head.text} does not sort: {known}"
            else:
                # As the browser compares texts in its language.
                ordered = driver.execute_script(
                    "return arguments[0].slice().sort((a, b) => a.localeCompare(b, undefined, {numeric: true}))", cells
                )
                assert cells == (ordered if order == "ascending" else ordered[::-1]) or len(set(cells)) < len(cells), head.text
                assert sorted(set(cells)) == sorted(set(ordered))
        others = [other.get_attribute("aria-sort") for other in heads if other != head]
        assert not any(others), "two columns say that they are sorted by"


def filters(table):
    before = len(column(table, 0))
    output = table.find_element(By.TAG_NAME, "output")
    assert output.text == f"{before} / {before}", output.text
    choices = 0
    for select in table.find_elements(By.TAG_NAME, "select"):
        select = Select(select)
        for option in select.options[1:]:
            select.select_by_value(option.get_attribute("value"))
            shown = len(column(table, 0))
            assert 0 < shown and output.text == f"{shown} / {before}"
            choices += shown
        select.select_by_index(0)
        assert choices == before, f"the choices have {choices} of {before} rows"
        choices = 0
    search = table.find_element(By.CSS_SELECTOR, "input[type=search]")
    word = re.split(r"[^A-Za-z]+", column(table, 1)[0])[0]
    search.send_keys(word)
    texts = [cell for cell in column(table, 1)]
    shown = driver.execute_script("return Array.from(arguments[0].querySelectorAll('tbody tr:not([hidden])'), (row) => row.textContent)", table)
    assert texts and all(word.lower() in text.lower() for text in shown), word
    search.send_keys(" no such row")
    assert column(table, 0) == [], "rows that were filtered away are there"
    search.send_keys(Keys.CONTROL, "a")
    search.send_keys(Keys.DELETE)
    assert len(column(table, 0)) == before


def focus(element):
    driver.execute_script("document.activeElement.blur(); arguments[0].focus()", element)


def some(selector):
    """A few of many."""
    found = driver.find_elements(By.CSS_SELECTOR, selector)
    return found[:: max(1, len(found) // 6)]


def charts(width):
    """Values show at what the keyboard comes to."""
    for bar in some(".bar:not(.axis)"):
        value = bar.find_element(By.CSS_SELECTOR, ".tip")
        assert not value.is_displayed()
        focus(bar)
        assert value.is_displayed() and re.search(r"\d", value.text), "a bar shows no value"
        no_overflow(width)
    for figure in driver.find_elements(By.CSS_SELECTOR, ".points"):
        value = figure.find_element(By.CSS_SELECTOR, ".value")
        for point in figure.find_elements(By.CSS_SELECTOR, ".point"):
            focus(point)
            assert value.text == point.get_attribute("aria-label") and re.search(r"\d", value.text), "a point shows no value"
        no_overflow(width)


def languages():
    heading = driver.find_element(By.TAG_NAME, "h1")
    for language, text in [("zh-CN", "快密，实测"), ("en", "Kuaimi, measured")]:
        driver.find_element(By.CSS_SELECTOR, f"[data-language={language}]").click()
        assert heading.text == text, heading.text
        options = driver.find_elements(By.CSS_SELECTOR, "option[data-en]")
        attribute = "data-en" if language == "en" else "data-zh"
        assert all(option.get_attribute("text") == option.get_attribute(attribute) for option in options)


for width in (1440, 1210, 360):
    for scheme in ("light", "dark"):
        show(width, scheme)
        no_overflow(width)
        shot(f"{scheme}-{width}")
    driver.find_element(By.CSS_SELECTOR, "[data-language=zh-CN]").click()
    no_overflow(width)
    shot(f"zh-{width}")
    for details in driver.find_elements(By.TAG_NAME, "details"):
        driver.execute_script("arguments[0].open = true", details)
    no_overflow(width)
    driver.find_element(By.CSS_SELECTOR, "[data-language=en]").click()
    for section in driver.find_elements(By.CSS_SELECTOR, "main > section"):
        driver.execute_script("arguments[0].scrollIntoView({behavior: 'instant'})", section)
        data = driver.get_screenshot_as_base64()
        (folder / f"{page.stem}-{section.get_attribute('id')}-{width}.png").write_bytes(base64.b64decode(data))

show(1440, "light")
languages()
charts(1440)
show(360, "light")
charts(360)
show(1440, "light")
for table in tables():
    if table.find_elements(By.CSS_SELECTOR, ".filters"):
        filters(table)
    sorts(table)

# On paper, which has no buttons.
show(1440, "light", "print")
for control in driver.find_elements(By.CSS_SELECTOR, ".languages, nav, .filters"):
    assert not control.is_displayed(), "a control is printed"
show(1440, "light")
paper = driver.execute_cdp_cmd("Page.printToPDF", {"paperWidth": 8.27, "paperHeight": 11.69, "printBackground": True})["data"]
(folder / f"{page.stem}.pdf").write_bytes(base64.b64decode(paper))

errors = [entry for entry in driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
assert not errors, errors
driver.quit()
print(f"{page.name}: no error in the console; {len(list(folder.glob(page.stem + '*.png')))} screenshots in {folder}")
