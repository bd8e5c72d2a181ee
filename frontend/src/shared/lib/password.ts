/** The rules of new passwords by the tenant's policy, as the server checks them. */
export interface PasswordPolicy {
  policy: 'composed' | 'long';
  minLength: number;
  maxLength: number;
}

/** The policy of a tenant that sets none: 8 to 15 characters of four kinds. */
const DEFAULT: PasswordPolicy = { policy: 'composed', minLength: 8, maxLength: 15 };

const RULES = {
  length: (password: string, { minLength, maxLength }: PasswordPolicy) => {
    const characters = Array.from(password).length;
    return characters >= minLength && characters <= maxLength;
  },
  digit: (password: string) => /[0-9]/.test(password),
  special: (password: string) => /[^\p{L}\p{N}\s]/u.test(password),
  upper: (password: string) => /\p{Lu}/u.test(password),
  lower: (password: string) => /\p{Ll}/u.test(password),
  blank: (password: string) => password !== '' && !/\s/u.test(password),
} as const;

export type PasswordRule = keyof typeof RULES;
const ALL = Object.keys(RULES) as PasswordRule[];

let present = DEFAULT;
const listeners = new Set<() => void>();

/** The tenant's policy; the default one until it was read. */
export function passwordPolicy(): PasswordPolicy {
  return present;
}

/** Sets the policy that was read; without one, the default. */
export function setPasswordPolicy(policy: PasswordPolicy = DEFAULT): void {
  present = policy;
  for (const listener of listeners) listener();
}

/** For useSyncExternalStore. */
export function subscribeToPasswordPolicy(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The rules of a policy. */
export function rulesOf({ policy }: PasswordPolicy): PasswordRule[] {
  return policy === 'long' ? ['length'] : ALL;
}

/** Whether a password keeps a rule of the present policy. */
export function keepsRule(rule: PasswordRule, password: string): boolean {
  return RULES[rule](password, present);
}

/** Whether a password keeps all rules of the present policy. */
export function isStrong(password: string): boolean {
  return rulesOf(present).every((rule) => keepsRule(rule, password));
}
