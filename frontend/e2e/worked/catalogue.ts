/** The manager's set-up: currencies, distribution fees, payment groups. */
import { choose, fill, rowOf } from '../steps';
import { type Act, flick, type Office, save, typed } from './office';

interface Currency {
  code: string;
  rate: string;
  fee: string;
}

async function currency(office: Office, { code, rate, fee }: Currency): Promise<void> {
  const page = await office.at('manager', '/nomenclators/currencies/');
  await page.getByRole('button', { name: `Editar: ${code}`, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Editar moneda' });
  await fill(dialog, { Símbolo: '$', 'Tasa de cambio': typed(rate), 'Tasa de distribución': typed(fee) });
  await flick(dialog, 'Contabilizada', true);
  await flick(dialog, 'Habilitada', true);
  await save(dialog);
  await rowOf(page, code).getByText(typed(fee)).first().waitFor();
}

async function municipality(office: Office, name: string, fee: string): Promise<void> {
  const page = await office.at('manager', `/nomenclators/municipality/?query=${encodeURIComponent(name)}`);
  await page.getByRole('button', { name: `Editar: ${name}`, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: `Municipio ${name}` });
  await fill(dialog, { 'Costo de distribución': typed(fee) });
  await choose(page, dialog, 'Moneda del costo', 'CUP');
  await save(dialog);
  await rowOf(page, name).getByText(typed(fee)).waitFor();
}

interface Group {
  name: string;
  currency: string;
  rate: string;
  commission: string;
}

async function group(office: Office, made: Group): Promise<void> {
  const page = await office.at('manager', '/nomenclators/payments/groups/');
  await page.getByRole('button', { name: 'Nuevo grupo de pago' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Nuevo grupo de pago' });
  await fill(dialog, {
    Nombre: made.name,
    'Tasa de cambio': typed(made.rate),
    'Comisión del gerente': typed(made.commission),
  });
  await choose(page, dialog, 'Moneda que se entrega', made.currency);
  await save(dialog);
  await rowOf(page, made.name).waitFor();
}

export function catalogueSteps(office: Office): Record<number, Act> {
  return {
    3: () => currency(office, { code: 'USD', rate: '1', fee: '2.00' }),
    5: () => currency(office, { code: 'CUP', rate: '330', fee: '150.00' }),
    7: () => currency(office, { code: 'MLC', rate: '1.05', fee: '1.00' }),
    12: () => municipality(office, 'Cárdenas', '200.00'),
    13: () => group(office, { name: 'CUP home', currency: 'CUP', rate: '320', commission: '2' }),
    14: () => group(office, { name: 'USD home', currency: 'USD', rate: '1', commission: '-0.1' }),
  };
}
