/** Where a login leads. */
export const LANDING = '/home';
