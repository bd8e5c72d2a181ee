import type { Locator, Page } from 'playwright-core';

/** Goes to another screen as a link does: without loading the page again. */
export async function go(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState({}, '', to);
    window.dispatchEvent(new PopStateEvent('popstate'));
  }, path);
  await arrived(page);
}

/** Waits until the screen is that of the address: the one that is left stands until the next one's chunk is there. */
async function arrived(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector<HTMLElement>('main')?.dataset.address === location.pathname + location.search &&
      document.querySelector('main h1') !== null,
  );
}

/** Waits until a list shows what it read: that of the address, no placeholder, nothing on its way. */
export async function settled(page: Page): Promise<void> {
  await arrived(page);
  await page.waitForFunction(
    () => document.querySelector('main [aria-busy=true], main .mantine-Skeleton-root') === null,
  );
}

/** Fills fields by their labels; a field that offers what others wrote is a box to choose from as well. */
export async function fill(scope: Locator | Page, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) {
    const named = { name: label, exact: true };
    await scope.getByRole('textbox', named).or(scope.getByRole('combobox', named)).fill(value);
  }
}

/** Chooses an option of a drop-down list, which opens outside of a dialog. */
export async function choose(
  page: Page,
  scope: Locator | Page,
  label: string | RegExp,
  option: string | RegExp,
): Promise<void> {
  await scope.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option }).first().click();
}

/** Waits for a toast and closes it, so that the next of the same words is a new one. */
export async function told(page: Page, text: string): Promise<void> {
  const toast = page.getByRole('status').filter({ hasText: text }).first();
  await toast.waitFor();
  // It steps aside from a button that came under it, and stays where it is once pointed at.
  await toast.hover();
  await toast.getByRole('button', { name: /^(Cerrar el aviso|Close)/ }).click();
  await toast.waitFor({ state: 'detached' });
  // A pointer left there would hold the next toast where it stands.
  await page.mouse.move(0, 0);
}

/** A row of a list, or on a phone its card, by a text in it. */
export function rowOf(page: Page, text: string | RegExp): Locator {
  return page.locator('main tbody tr, main ul[data-rows] > li').filter({ hasText: text }).first();
}

/** What can be clicked and lies under a toast. */
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
        // What is behind a dialog cannot be clicked anyway.
        return meets && (one.closest('[role=dialog]') !== null || !document.querySelector('[role=dialog]'));
      })
      .map((one) => one.ariaLabel || one.textContent || one.tagName);
  });
}
