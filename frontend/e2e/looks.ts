import type { Page } from 'playwright-core';

/** What is wrong with a screen at a look: it is wider than the window, a text has no words, or it has no title. */
export async function lookOver(page: Page): Promise<string[]> {
  const seen = await page.evaluate(() => {
    const faults: string[] = [];
    const wide = document.documentElement.scrollWidth - window.innerWidth;
    if (wide > 0) faults.push(`${wide} px too wide`);
    const raw = /\b[a-z]+:[a-z]\w*\.\w+/.exec(document.body.innerText);
    if (raw) faults.push(`shows ${raw[0]}`);
    if (!/^Caudal \| .+/.test(document.title)) faults.push(`is titled ${document.title}`);
    return faults;
  });
  const at = await page.evaluate(() => location.pathname + location.search);
  return seen.map((fault) => `${at}: ${fault}`);
}
