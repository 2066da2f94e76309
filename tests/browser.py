"""A real browser for the tests of pages: Chromium without a network, by Selenium."""

import os
import shutil
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ARTEFACTS = ROOT / "tests" / "artefacts"
AXE = Path(sys.prefix, "node_modules", "axe-core", "axe.min.js")
FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --hide-scrollbars --disable-dev-shm-usage"
)


def chromium():
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


LOCAL_ONLY = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"


@contextmanager
def started(folder, offline=True):
    """A browser that keeps its files, also what it downloads, in a folder; without a network, or with this machine."""
    selenium = pytest.importorskip("selenium", reason="selenium is not installed: make test-all installs it")
    driver = shutil.which("chromedriver")
    if chromium() is None or driver is None:
        pytest.skip("Chromium and its driver are not installed: make test-all installs them")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    assert selenium
    options = webdriver.ChromeOptions()
    options.binary_location = chromium()
    for flag in [*FLAGS.split(), LOCAL_ONLY, f"--user-data-dir={folder / 'profile'}", "--window-size=1280,900"]:
        options.add_argument(flag)
    preferences = {
        "download.default_directory": str(folder / "downloads"),
        "profile.default_content_setting_values.automatic_downloads": 1,
    }
    options.add_experimental_option("prefs", preferences)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    chrome = webdriver.Chrome(options=options, service=Service(driver))
    try:
        chrome.execute_cdp_cmd("Network.enable", {})
        if offline:
            chrome.execute_cdp_cmd(
                "Network.emulateNetworkConditions",
                {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0},
            )
        yield Browser(chrome, folder)
    finally:
        chrome.quit()


class Browser:
    """What the tests do with a page."""

    def __init__(self, driver, folder):
        self.driver = driver
        self.folder = folder

    def open(self, page, anchor="", width=1280, height=900, dark=False, media=""):
        """Open a page, from the disk or by its address, and wait until it is ready."""
        self.size(width, height)
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": features})
        self.driver.get("about:blank")
        self.driver.get_log("browser")
        self.driver.get((page if isinstance(page, str) else page.as_uri()) + anchor)
        self.until("return 'ready' in document.documentElement.dataset")
        return self

    def size(self, width, height):
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600},
        )

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def until(self, script, *arguments, seconds=15):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if result := self.run(script, *arguments):
                return result
            time.sleep(0.03)
        raise AssertionError(f"{script} did not become true; the console says {self.complaints()}")

    def text(self, selector):
        """What can be seen of an element."""
        return self.run("return document.querySelector(arguments[0]).innerText", selector)

    def texts(self, selector):
        return self.run(
            "return [...document.querySelectorAll(arguments[0])].map((element) => element.innerText)", selector
        )

    def click(self, selector):
        self.run("document.querySelector(arguments[0]).click()", selector)

    def press(self, *keys):
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def complaints(self):
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in {"SEVERE", "WARNING"}]

    def loaded_from_elsewhere(self):
        return self.run("return performance.getEntriesByType('resource').map((entry) => entry.name)")

    def overflow(self):
        """By how many pixels the page is wider than the screen."""
        return self.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")

    def picture(self, name):
        ARTEFACTS.mkdir(exist_ok=True)
        self.driver.save_screenshot(str(ARTEFACTS / f"{name}.png"))

    def downloaded(self, seconds=10):
        """The text of the file that was handed out last."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            files = [file for file in (self.folder / "downloads").glob("*") if not file.name.endswith(".crdownload")]
            files = [file for file in files if file.stat().st_size]  # the name exists before the content
            if files:
                content = files[0].read_text(encoding="utf-8")
                files[0].unlink()
                return content
            time.sleep(0.05)
        raise AssertionError("nothing was downloaded")

    def faults(self):
        """The serious faults that axe-core finds: which rule, and where."""
        path = Path(os.environ.get("RANKGAUGE_AXE", AXE))
        if not path.exists():
            pytest.skip("axe-core is not installed: make test-all installs it")
        self.run(path.read_text(encoding="utf-8"))
        violations = self.driver.execute_async_script(
            "const done = arguments[0];"
            "axe.run(document, { resultTypes: ['violations'] }).then((all) => done(all.violations.map("
            "(violation) => [violation.impact, violation.id, violation.nodes.slice(0, 3).map((node) => node.html.slice(0, 160))])))"
        )
        return [violation for violation in violations if violation[0] in {"serious", "critical"}]
