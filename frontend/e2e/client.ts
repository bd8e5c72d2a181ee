import { randomUUID } from 'node:crypto';

/** Calls the API as the browser does, to set up scenarios. */
export class Client {
  private readonly base: string;
  private readonly tenant: string;
  private token = '';

  constructor(base: string, tenant: string) {
    this.base = base;
    this.tenant = tenant;
  }

  async call<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await fetch(`${this.base}/api${path}`, {
      method,
      headers: {
        'X-Tenant': this.tenant,
        'Accept-Language': 'es',
        ...(this.token && { Authorization: `Bearer ${this.token}` }),
        ...(method !== 'GET' && { 'Idempotency-Key': randomUUID() }),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return (text ? JSON.parse(text) : null) as T;
  }

  async login(email: string, password: string): Promise<this> {
    const answer = await this.call<{ token: { accessToken: string } }>('POST', '/auth0/login', {
      email,
      password,
    });
    this.token = answer.token.accessToken;
    return this;
  }
}
