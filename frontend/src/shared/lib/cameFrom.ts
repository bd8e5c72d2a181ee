/** What the login is told by the screen that sent somebody there. */
export interface CameFrom {
  /** The screen's address. */
  from?: string | undefined;
  /** Whose session ended on it; absent where no session was open. */
  whose?: string | null | undefined;
}
