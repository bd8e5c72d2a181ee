/** Registers the service worker, which brings the application without a network. Built only: it would hide changes. */
export function registerWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  // Where it cannot be, as in a private window, the application needs the network as any page does.
  navigator.serviceWorker.register('/worker.js').catch(() => undefined);
}
