/** The rules of passwords (specification, point 5), as the server checks them. */
const RULES = {
  length: (password: string) => {
    const characters = Array.from(password).length;
    return characters >= 8 && characters <= 15;
  },
  digit: (password: string) => /[0-9]/.test(password),
  special: (password: string) => /[^\p{L}\p{N}\s]/u.test(password),
  upper: (password: string) => /\p{Lu}/u.test(password),
  lower: (password: string) => /\p{Ll}/u.test(password),
  blank: (password: string) => password !== '' && !/\s/u.test(password),
} as const;

export type PasswordRule = keyof typeof RULES;
export const PASSWORD_RULES = Object.keys(RULES) as PasswordRule[];

/** Whether a password keeps a rule. */
export function keepsRule(rule: PasswordRule, password: string): boolean {
  return RULES[rule](password);
}

/** Whether a password keeps all rules. */
export function isStrong(password: string): boolean {
  return PASSWORD_RULES.every((rule) => keepsRule(rule, password));
}
