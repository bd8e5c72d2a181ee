/** The parties and customers: agency, agents, clerk, dealers, delivery man, senders and recipients. */
import type { Page } from 'playwright-core';
import { DAY } from '../day';
import { choose, fill, rowOf } from '../steps';
import { type Act, flick, type Office, save, typed } from './office';

interface Terms {
  group: string;
  rate: string;
  limit: string;
  commission: string;
  below?: { amount: string; fee: string; fixed: boolean };
}

/** Fills in a seller's data, login and terms. */
async function fillSeller(page: Page, name: string, terms: Terms[], city?: string): Promise<void> {
  await fill(page, {
    Nombre: name,
    Teléfono: '+5350000000',
    'Correo electrónico': `${name.toLowerCase()}@example.test`,
  });
  await page.locator('input[name=password]').fill(DAY.password);
  if (city) {
    await page.getByRole('combobox', { name: 'País' }).fill('Estados Unidos');
    await page.getByRole('option', { name: 'Estados Unidos', exact: true }).click();
    await fill(page, { Ciudad: city });
  }
  if (terms.length > 0) await page.getByRole('tab', { name: 'Condiciones' }).click();
  for (const { group, rate, limit, commission, below } of terms) {
    await page.getByRole('button', { name: 'Añadir grupo de pago' }).click();
    const dialog = page.getByRole('dialog', { name: 'Añadir grupo de pago' });
    await choose(page, dialog, 'Grupo de pago', new RegExp(group));
    await fill(dialog, {
      'Tasa de cambio': typed(rate),
      'Límite de crédito': typed(limit),
      'Por ciento': typed(commission),
    });
    if (below) {
      if (below.fixed) await choose(page, dialog, 'Tipo de utilidad', 'Fija');
      await fill(dialog, { 'Monto mínimo': typed(below.amount), Utilidad: typed(below.fee) });
    }
    await save(dialog);
  }
}

async function saveSeller(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Guardar', exact: true }).click();
  await rowOf(page, name).waitFor();
}

async function agency(office: Office, name: string, city: string, terms: Terms[]): Promise<void> {
  const page = await office.at('manager', '/agencies/new');
  await fillSeller(page, name, terms, city);
  await saveSeller(page, name);
}

async function agent(office: Office, by: string, name: string, terms: Terms[] | 'internal'): Promise<void> {
  const page = await office.at(by, '/agent/new/');
  if (terms === 'internal') await choose(page, page, 'Tipo', 'Agente interno');
  await fillSeller(page, name, terms === 'internal' ? [] : terms);
  await saveSeller(page, name);
}

async function dealer(office: Office, name: string, province: string, zone: string): Promise<void> {
  const page = await office.at('manager', '/dealers');
  await page.getByRole('button', { name: 'Nuevo distribuidor' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Nuevo distribuidor' });
  await fill(dialog, {
    Nombre: name,
    'Carné de identidad': '80010112345',
    'Correo electrónico': `${name.toLowerCase()}@example.test`,
    Teléfono: '+5350000000',
  });
  await dialog.locator('input[name=password]').fill(DAY.password);
  await choose(page, dialog, 'Provincia', province);
  await dialog.getByRole('combobox', { name: 'Zonas de distribución' }).click();
  await page.getByRole('option', { name: zone, exact: true }).click();
  await page.keyboard.press('Escape');
  await dialog.getByText('1 zona seleccionada').waitFor();
  await flick(dialog, 'Transferencias MLC', true);
  await save(dialog);
  await rowOf(page, name).waitFor();
}

async function carrier(office: Office, by: string, name: string): Promise<void> {
  const page = await office.at(by, '/dealers');
  await page.getByRole('button', { name: 'Nuevo repartidor' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Nuevo repartidor' });
  await fill(dialog, {
    Nombre: name,
    'Carné de identidad': '90010112345',
    'Correo electrónico': `${name.toLowerCase()}@example.test`,
    Teléfono: '+5350000000',
  });
  await dialog.locator('input[name=password]').fill(DAY.password);
  await save(dialog);
  await rowOf(page, name).waitFor();
}

const SURNAMES = { 'Primer apellido': 'Pérez', 'Segundo apellido': 'Gómez', Teléfono: '+13055550100' };

async function issuer(office: Office, by: string, name: string): Promise<void> {
  const page = await office.at(by, '/issuers/list');
  await page.getByRole('button', { name: 'Nuevo emisor' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Nuevo emisor' });
  await fill(dialog, { Nombre: name, ...SURNAMES });
  await dialog.getByRole('combobox', { name: 'País' }).fill('Estados Unidos');
  await page.getByRole('option', { name: 'Estados Unidos', exact: true }).click();
  await fill(dialog, { 'Estado o provincia': 'Florida', Ciudad: 'Miami', 'Código postal': '33101' });
  await save(dialog);
  await rowOf(page, `${name} Pérez Gómez`).waitFor();
}

async function recipient(office: Office, by: string, name: string, of: string, at: [string, string]) {
  const page = await office.at(by, '/recipients');
  await page.getByRole('button', { name: 'Nuevo destinatario' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Nuevo destinatario' });
  await dialog.getByRole('tab', { name: 'Domicilio' }).click();
  await dialog.getByRole('combobox', { name: 'Emisor' }).fill(of);
  await page.getByRole('option', { name: `${of} Pérez Gómez` }).click();
  await fill(dialog, { Nombre: name, ...SURNAMES, Dirección: 'Calle 23 #101' });
  await choose(page, dialog, 'Provincia', at[0]);
  await choose(page, dialog, 'Municipio', at[1]);
  await dialog.getByRole('tab', { name: 'Opcionales' }).click();
  await fill(dialog, { 'Número de identificación': '75010112345' });
  await save(dialog);
  await rowOf(page, `${name} Pérez Gómez`).waitFor();
}

export function peopleSteps(office: Office): Record<number, Act> {
  return {
    15: () =>
      agency(office, 'Agency1', 'Miami', [
        {
          group: 'CUP home',
          rate: '318.5',
          limit: '0',
          commission: '5',
          below: { amount: '50', fee: '4.00', fixed: true },
        },
        {
          group: 'USD home',
          rate: '1',
          limit: '500.00',
          commission: '6',
          below: { amount: '100', fee: '8', fixed: false },
        },
      ]),
    17: () =>
      agent(office, 'Agency1', 'Agent1', [{ group: 'CUP home', rate: '315', limit: '0', commission: '3' }]),
    19: () => agent(office, 'Agency1', 'Clerk1', 'internal'),
    21: () =>
      agent(office, 'manager', 'Agent2', [
        {
          group: 'CUP home',
          rate: '317',
          limit: '0',
          commission: '4',
          below: { amount: '30', fee: '2.50', fixed: true },
        },
      ]),
    23: () => dealer(office, 'Dealer1', 'La Habana', 'Playa'),
    25: () => dealer(office, 'Dealer2', 'Matanzas', 'Cárdenas'),
    27: () => carrier(office, 'Dealer1', 'Courier1'),
    29: () => issuer(office, 'Agency1', 'Ana'),
    30: () => recipient(office, 'Agency1', 'Berta', 'Ana', ['La Habana', 'Playa']),
    31: () => issuer(office, 'Agency1', 'Carlos'),
    32: () => recipient(office, 'Agency1', 'Delia', 'Carlos', ['Matanzas', 'Cárdenas']),
  };
}
