/** By hand and not by schema: a first visit waits for these pages' weight, and the server decides anyway. */
export function looksLikeEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text.trim());
}
