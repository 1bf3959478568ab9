// Reports to look at, made by the command in RETRIAL, and the browser to look with.

import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

/** Where reports and screenshots go; kept, so that people can look at what failed. */
export const folder = mkdtempSync(join(tmpdir(), "retrial-reports-"));

const EXPERIMENTS = [
  ["thundering-herd"],
  ["open-overload", "--set", "stop_after=200s"],
  ["aws-occ", "-P", "workload.clients=5,10,20"],
];

/** The name and the address of each report. */
export function makeReports() {
  const retrial = process.env.RETRIAL;
  if (!retrial) throw new Error("RETRIAL must be the path of the command");
  return EXPERIMENTS.map(([experiment, ...flags]) => {
    const out = join(folder, experiment);
    const args = ["run", experiment, "--replications", "4", "--quiet", "--out", out, ...flags];
    try {
      execFileSync(retrial, args, { stdio: "pipe" });
    } catch (error) {
      // Of so few replications a threshold may fail.
      if (error.status !== 3) throw new Error(`${args.join(" ")}: ${error.stderr}`);
    }
    return { name: experiment, url: pathToFileURL(join(out, "report.html")).href };
  });
}

export function launch() {
  const named = process.env.CHROMIUM;
  const executablePath = named || execFileSync("which", ["chromium"]).toString().trim();
  // Containers have no user namespaces to make a sandbox of; the pages are our own.
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

/** Opens a report; `heard` collects what it complains of and what it asks for. */
export async function open(browser, url, settings) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...settings });
  const page = await context.newPage();
  const heard = { complaints: [], requests: [] };
  page.on("console", (message) => heard.complaints.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => heard.complaints.push(String(error)));
  page.on("request", (request) => heard.requests.push(request.url()));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      console.error(`violates ${event.violatedDirective}: ${event.blockedURI}`);
    });
  });
  await page.goto(url);
  return { page, heard, close: () => context.close() };
}
