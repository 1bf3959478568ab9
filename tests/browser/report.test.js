// What a reader of a report relies on, in a real browser and from a file.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { join } from "node:path";
import { folder, launch, makeReports, open } from "./reports.js";
import { lowContrasts } from "./contrast.js";

let browser;
const reports = makeReports();
before(async () => { browser = await launch(); });
after(() => browser.close());

const VIEWS = ["light", "dark"].flatMap((colorScheme) => [1280, 390].map((width) => ({ colorScheme, width })));

for (const { name, url } of reports) {
  for (const { colorScheme, width } of VIEWS) {
    test(`${name}, ${colorScheme}, ${width} pixels wide: quiet, whole and legible`, async () => {
      const view = { colorScheme, viewport: { width, height: 900 } };
      const { page, heard, close } = await open(browser, url, view);
      await unfold(page);
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`), fullPage: true });
      assert.deepEqual(heard, { complaints: [], requests: [url] });
      const root = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return { scrollWidth, clientWidth };
      });
      assert.ok(root.scrollWidth <= root.clientWidth, `the page scrolls sideways: ${JSON.stringify(root)}`);
      const drawings = await page.evaluate(() =>
        [...document.querySelectorAll("svg")].map((svg) => {
          const { width, height } = svg.getBoundingClientRect();
          return { width, height, isVisible: svg.checkVisibility() };
        }));
      assert.ok(drawings.length > 0);
      for (const svg of drawings) assert.ok(svg.isVisible && svg.width > 5 && svg.height > 5, JSON.stringify(svg));
      const ground = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
      const [red, green, blue] = ground.match(/\d+/g).map(Number);
      const lightness = (red + green + blue) / 3;
      assert.ok(colorScheme === "dark" ? lightness < 40 : lightness > 235, ground);
      assert.deepEqual(await page.evaluate(lowContrasts, 4.5), []);
      await close();
    });
  }

  test(`${name}: ids are nobody else's, and links lead somewhere`, async () => {
    const { page, close } = await open(browser, url);
    const wrong = await page.evaluate(() => {
      const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
      const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
      const links = [...document.querySelectorAll("a[href]")].map((link) => link.getAttribute("href"));
      return [...twice, ...links.filter((href) => !ids.includes(href.slice(1)))];
    });
    assert.deepEqual(wrong, []);
    await close();
  });

  test(`${name}: it can be read without its script`, async () => {
    const { page, heard, close } = await open(browser, url, { javaScriptEnabled: false });
    assert.deepEqual(heard, { complaints: [], requests: [url] });
    assert.equal(await page.locator("th button").count(), 0, "no control that does nothing");
    for (const part of ["h1", "#verdict .verdict", "#comparison tbody td >> nth=0", "figure svg[role=img] >> nth=0"]) {
      assert.ok(await page.locator(part).isVisible(), part);
    }
    await page.locator("summary").first().click();
    assert.ok(await page.locator("details[open] table").first().isVisible());
    await close();
  });

  test(`${name}: on paper no figure is cut`, async () => {
    const { page, close } = await open(browser, url, { colorScheme: "dark" });
    const pdf = await page.pdf({ preferCSSPageSize: true, path: join(folder, `${name}.pdf`) });
    const pages = pdf.toString("latin1").match(/\/Type\s*\/Page\b/g).length;
    assert.ok(pages >= 3 && pages <= 40, `${pages} pages`);
    // An A4 page without its margins, in CSS pixels.
    const sheet = { width: (210 - 2 * 16) * 96 / 25.4, height: (297 - 2 * 17) * 96 / 25.4 };
    await page.setViewportSize({ width: Math.floor(sheet.width), height: Math.floor(sheet.height) });
    await page.emulateMedia({ media: "print" });
    const figures = await page.evaluate(() =>
      [...document.querySelectorAll("figure")].map((figure) => {
        const { height } = figure.getBoundingClientRect();
        const { right } = figure.querySelector("svg").getBoundingClientRect();
        return { id: figure.id, height, right, breaks: getComputedStyle(figure).breakInside };
      }));
    for (const figure of figures) {
      assert.equal(figure.breaks, "avoid", figure.id);
      assert.ok(figure.height <= sheet.height, `${figure.id} is ${figure.height} of ${sheet.height} high`);
      assert.ok(figure.right <= sheet.width + 1, `${figure.id} ends at ${figure.right} of ${sheet.width}`);
    }
    const ground = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    assert.equal(ground, "rgb(255, 255, 255)", "paper is white in a dark theme, too");
    assert.ok(!(await page.locator("nav").isVisible()));
    await close();
  });
}

test("columns sort by their values, by mouse and keyboard", async () => {
  const { page, heard, close } = await open(browser, reports[0].url);
  const table = page.locator("#comparison table.sortable").first();
  const values = () => table.locator("tbody tr").evaluateAll((rows) =>
    rows.map((row) => Number(row.cells[2].dataset.value)));
  const header = table.locator("thead th").nth(2);
  const button = header.getByRole("button", { name: "attempts" });
  const original = await values();
  const rising = original.toSorted((a, b) => a - b);
  assert.notDeepEqual(original, rising, "or the test shows nothing");
  await button.click();
  assert.deepEqual(await values(), rising);
  assert.equal(await header.getAttribute("aria-sort"), "ascending");
  await button.focus();
  await page.keyboard.press("Enter");
  assert.deepEqual(await values(), rising.toReversed());
  assert.equal(await header.getAttribute("aria-sort"), "descending");
  const outline = await button.evaluate((element) => getComputedStyle(element).outlineStyle);
  assert.equal(outline, "solid", "the focus can be seen");
  // By name, which takes the mark of the other column away.
  await table.getByRole("button", { name: "policy" }).click();
  const names = await table.locator("tbody th").allInnerTexts();
  assert.deepEqual(names, names.toSorted());
  assert.equal(await header.getAttribute("aria-sort"), null);
  assert.deepEqual(heard.complaints, []);
  await close();
});

test("what has no value comes last, up and down", async () => {
  const { page, close } = await open(browser, reports[0].url);
  await unfold(page);
  const table = page.locator("details table.sortable").first();
  const missing = () => table.locator("tbody tr").evaluateAll((rows) =>
    rows.map((row) => row.cells[2].dataset.value === undefined));
  assert.ok((await missing()).includes(true));
  for (let turn = 0; turn < 2; turn += 1) {
    await table.locator("thead th").nth(2).getByRole("button").click();
    const rows = await missing();
    assert.deepEqual(rows, rows.toSorted(), "false before true");
  }
  await close();
});

test("a policy under the mouse is found in every table", async () => {
  const { page, close } = await open(browser, reports[0].url);
  const row = page.locator("#comparison tbody tr").nth(1);
  const policy = await row.getAttribute("data-policy");
  await row.hover();
  const marked = await page.locator("tr.same").evaluateAll((rows) => rows.map((row) => row.dataset.policy));
  assert.ok(marked.length > 3 && marked.every((own) => own === policy), JSON.stringify(marked));
  await close();
});

function unfold(page) {
  return page.evaluate(() => document.querySelectorAll("details").forEach((details) => { details.open = true; }));
}
