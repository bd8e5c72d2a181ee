/**
 * Groups of calls in openapi-next.json that the server may not answer yet. What needs one that is false is not
 * built into the interface: no route, no menu entry, no button.
 */
export const SERVED: Readonly<Record<'users' | 'passwords' | 'world' | 'dashboard' | 'exports', boolean>> = {
  /** /users, its {id}, and PUT /users/profile. */
  users: false,
  /** Change, forgot and reset password. */
  passwords: false,
  /** Countries, states and cities. */
  world: false,
  /** /dashboard. */
  dashboard: true,
  /** Lists with ?format=csv, xlsx or pdf. */
  exports: true,
};
