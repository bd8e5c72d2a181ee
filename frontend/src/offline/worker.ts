/**
 * Registers the service worker, which serves the application offline. In builds only: in development it would hide
 * changes.
 */
export function registerWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  // Unavailable, as in a private window: the application then needs the network.
  navigator.serviceWorker.register('/worker.js').catch(() => undefined);
}
