/** Everybody of the worked day at a browser of his own. */
import type { Browser, Locator, Page } from 'playwright-core';
import { DESKTOP, PHONE, type Visitor, visit } from '../browser';
import { DAY, Replay } from '../day';
import type { Server } from '../server';
import { go, settled } from '../steps';

/** What a step of the day does at the screens. */
export type Act = () => Promise<void>;

/** Who is in the street has a telephone. */
const ON_THE_PHONE = 'Courier1';

/** "-1234.5" as the interface shows it. */
export function shown(amount: string): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)\.(\d+)$/.exec(amount) ?? [];
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, '.')},${fraction}`;
}

/** What somebody types for an amount. */
export const typed = (amount: string) => amount.replace('.', ',');

export class Office {
  /** The day over HTTP: what no screen does, and what the screens are compared with. */
  readonly replay: Replay;
  readonly visitors = new Map<string, Visitor>();
  private readonly browser: Browser;
  private readonly server: Server;

  constructor(browser: Browser, server: Server) {
    this.browser = browser;
    this.server = server;
    this.replay = new Replay(server);
  }

  /** The page of somebody, at a screen; the first time he logs in. */
  async at(actor: string, path: string): Promise<Page> {
    const known = this.visitors.get(actor);
    if (known) await go(known.page, path);
    const visitor = known ?? (await this.logIn(actor, path));
    await settled(visitor.page);
    return visitor.page;
  }

  private async logIn(actor: string, path: string): Promise<Visitor> {
    const visitor = await visit(this.browser, {
      ...this.server,
      email: `${actor.toLowerCase()}@example.test`,
      password: DAY.password,
      size: actor === ON_THE_PHONE ? PHONE : DESKTOP,
      path,
    });
    this.visitors.set(actor, visitor);
    return visitor;
  }
}

/** Presses "Guardar" and waits until the dialog is done with. */
export async function save(dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** Puts a switch where it is wanted; its own box lies under what is seen of it. */
export const flick = (scope: Locator | Page, name: string, on: boolean) =>
  scope.getByRole('switch', { name }).setChecked(on, { force: true });
