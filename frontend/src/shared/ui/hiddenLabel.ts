/** A label that is read out and not seen, where the field's placeholder says the same to who sees it. */
export const HIDDEN_LABEL = {
  position: 'absolute',
  width: 1,
  height: 1,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
} as const;
