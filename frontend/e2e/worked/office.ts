/** The worked day's actors, each with a browser. */
import type { Browser, Locator, Page } from 'playwright-core';
import { DESKTOP, PHONE, type Visitor, visit } from '../browser';
import { DAY, Replay } from '../day';
import type { Server } from '../server';
import { go, settled } from '../steps';

/** A step of the day at the screens. */
export type Act = () => Promise<void>;

/** The actor who uses a phone. */
const ON_THE_PHONE = 'Courier1';

/** "-1234.5" in the interface's format. */
export function shown(amount: string): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)\.(\d+)$/.exec(amount) ?? [];
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, '.')},${fraction}`;
}

/** An amount as typed by a user. */
export const typed = (amount: string) => amount.replace('.', ',');

export class Office {
  /** The day over HTTP: for steps without a screen, and for figures to compare with. */
  readonly replay: Replay;
  readonly visitors = new Map<string, Visitor>();
  private readonly browser: Browser;
  private readonly server: Server;

  constructor(browser: Browser, server: Server) {
    this.browser = browser;
    this.server = server;
    this.replay = new Replay(server);
  }

  /** An actor's page at a screen; logs in on first use. */
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

/** Presses "Guardar" and waits until the dialog closes. */
export async function save(dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** Sets a switch, whose input is hidden under its track. */
export const flick = (scope: Locator | Page, name: string, on: boolean) =>
  scope.getByRole('switch', { name }).setChecked(on, { force: true });
