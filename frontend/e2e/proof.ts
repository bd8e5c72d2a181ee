/** Proof of a delivery, drawn by the browser so that the repository needs no pictures. */
import type { Page } from 'playwright-core';

export async function photograph(page: Page): Promise<Buffer> {
  const data = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    canvas.width = 2400;
    canvas.height = 1600;
    const context = canvas.getContext('2d');
    if (!context) throw new Error('no canvas');
    context.fillStyle = '#e8dcc0';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = '#14262b';
    context.font = '120px sans-serif';
    context.fillText('CARNÉ DE IDENTIDAD', 200, 300);
    context.fillText('Berta Díaz Luna', 200, 600);
    return canvas.toDataURL('image/jpeg').split(',')[1] ?? '';
  });
  return Buffer.from(data, 'base64');
}

/** Signs in the signature field. */
export async function sign(page: Page): Promise<void> {
  const sheet = page.getByRole('img', { name: /Firma de quien recibe|Recipient's signature/ });
  // Scrolled to the centre, because sticky buttons cover the bottom of the window.
  await sheet.evaluate((one) => one.scrollIntoView({ block: 'center' }));
  const box = await sheet.boundingBox();
  if (!box) throw new Error('no sheet to sign on');
  await page.mouse.move(box.x + 40, box.y + 110);
  await page.mouse.down();
  for (let step = 1; step <= 20; step++) {
    await page.mouse.move(box.x + 40 + step * 12, box.y + 100 + Math.sin(step) * 36);
  }
  await page.mouse.up();
}
