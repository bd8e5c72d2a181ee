/** Landing screen after a login. */
export const LANDING = '/home';
