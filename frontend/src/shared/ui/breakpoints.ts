/** Below this width tables become cards and dialogs fill the screen. */
export const PHONE = '(max-width: 48em)';
