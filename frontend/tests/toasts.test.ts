/// <reference types="vite/client" />
import { expect, it } from 'vitest';

const TEXTS = import.meta.glob<object>('../src/**/es.json', { eager: true, import: 'default' });

/** Messages of success that users know: their wording is part of the contract with them. */
const TOASTS = [
  ...['Agencia', 'Moneda'].flatMap((what) => [
    `${what} añadida correctamente`,
    `${what} editada correctamente`,
  ]),
  ...['Agente', 'Usuario', 'Distribuidor', 'Repartidor', 'Emisor', 'Destinatario'].flatMap((what) => [
    `${what} añadido correctamente`,
    `${what} editado correctamente`,
  ]),
  'Agencia eliminada correctamente',
  'Agente eliminado correctamente',
  'Usuario eliminado correctamente',
  'Emisor eliminado',
  'Destinatario eliminado',
  'Distribuidor eliminado',
  'Tasa de Cambio editada correctamente',
  'Pago satisfactorio',
  'Depósito satisfactorio',
  'Transferencia satisfactoria',
  'Remesa creada satisfactoriamente',
  'Remesa editada satisfactoriamente',
  'Remesa en distribución',
  'Remesa marcada como error',
  'Remesa cancelada',
  'Remesa entregada a su receptor',
  'Se ha enviado un código de verificación',
  'Su contraseña ha sido cambiada',
];

function textsOf(value: unknown): string[] {
  return typeof value === 'string' ? [value] : Object.values(value as object).flatMap(textsOf);
}

it('every success message keeps its wording', () => {
  const said = new Set(Object.values(TEXTS).flatMap(textsOf));
  expect(TOASTS.filter((text) => !said.has(text))).toEqual([]);
});
