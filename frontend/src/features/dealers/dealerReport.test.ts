// @vitest-environment node
import { expect, it } from 'vitest';
import type { Dealer } from '~/api';
import { dealerReport } from './dealerReport';

const dealer = (n: number) =>
  ({
    name: `Distribuidor ${n}`,
    phoneNumber: '+5350000000',
    isActive: true,
    municipality: 'Cárdenas',
    province: 'Matanzas',
  }) as Dealer;

it('puts fifteen hundred dealers on A4 pages under one title each', async () => {
  const report = await dealerReport(
    Array.from({ length: 1500 }, (_, n) => dealer(n)),
    ((key: string) => key) as never,
    '21 nov 2026',
  );
  const text = new TextDecoder('latin1').decode(await report.arrayBuffer());
  expect(text.slice(0, 5)).toBe('%PDF-');
  // A4 portrait in points.
  const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(text) ?? [];
  expect([Math.round(Number(width)), Math.round(Number(height))]).toEqual([595, 842]);
  const pages = text.match(/\/Type \/Page\b(?!s)/g)?.length ?? 0;
  expect(pages).toBeGreaterThan(30);
  expect(text.match(/\(Dealer List Report\) Tj/g) ?? []).toHaveLength(pages);
}, 30_000);
