import type { Locator, Page } from 'playwright-core';

/** Navigates like a link, without reloading the page. */
export async function go(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState({}, '', to);
    window.dispatchEvent(new PopStateEvent('popstate'));
  }, path);
  await arrived(page);
}

/** Waits for the screen of the address: the previous one stays until the next one's chunk is loaded. */
async function arrived(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector<HTMLElement>('main')?.dataset.address === location.pathname + location.search &&
      document.querySelector('main h1') !== null,
  );
}

/** Waits until a list shows the address's data: no placeholder, no request in progress. */
export async function settled(page: Page): Promise<void> {
  await arrived(page);
  await page.waitForFunction(
    () => document.querySelector('main [aria-busy=true], main .mantine-Skeleton-root') === null,
  );
}

/** Fills fields by label; a field with suggestions is a combobox too. */
export async function fill(scope: Locator | Page, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) {
    const named = { name: label, exact: true };
    await scope.getByRole('textbox', named).or(scope.getByRole('combobox', named)).fill(value);
  }
}

/** Chooses an option of a select, whose list is rendered outside a dialog. */
export async function choose(
  page: Page,
  scope: Locator | Page,
  label: string | RegExp,
  option: string | RegExp,
): Promise<void> {
  await scope.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option }).first().click();
}

/** Waits for a toast and closes it, so that the next one with the same text is new. */
export async function told(page: Page, text: string): Promise<void> {
  const toast = page.getByRole('status').filter({ hasText: text }).first();
  await toast.waitFor();
  // The toast moves off a button that appears under it, and stays in place while hovered. On a busy machine its time is over
  // before the pointer is there.
  const timeout = 5_000;
  const close = toast.getByRole('button', { name: /^(Cerrar el aviso|Close)/ });
  await toast
    .hover({ timeout })
    .then(() => close.click({ timeout }))
    .catch(() => undefined);
  await toast.waitFor({ state: 'detached' });
  // A pointer left there would hold the next toast in place.
  await page.mouse.move(0, 0);
}

/** A row of a list, or its card on a phone, by a text in it. */
export function rowOf(page: Page, text: string | RegExp): Locator {
  return page.locator('main tbody tr, main ul[data-rows] > li').filter({ hasText: text }).first();
}

/** Clickable elements under a toast. */
export async function underToasts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const toasts = [
      ...document.querySelectorAll('[aria-live=polite] > [role=status], [aria-live=polite] > [role=alert]'),
    ];
    const boxes = toasts.map((one) => one.getBoundingClientRect());
    return [...document.querySelectorAll<HTMLElement>('button, a[href], input, textarea, [role=tab]')]
      .filter((one) => !toasts.some((toast) => toast.contains(one)))
      .filter((one) => {
        const box = one.getBoundingClientRect();
        const meets = boxes.some(
          (toast) =>
            box.width > 2 &&
            box.height > 2 &&
            Math.min(box.right, toast.right) - Math.max(box.left, toast.left) > 1 &&
            Math.min(box.bottom, toast.bottom) - Math.max(box.top, toast.top) > 1,
        );
        // Elements behind a dialog are not clickable.
        return meets && (one.closest('[role=dialog]') !== null || !document.querySelector('[role=dialog]'));
      })
      .map((one) => one.ariaLabel || one.textContent || one.tagName);
  });
}
