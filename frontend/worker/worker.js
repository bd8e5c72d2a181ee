/**
 * The service worker: brings the application itself when there is no network. It never answers for the server: what
 * begins with /api/ goes past it. The build puts PRECACHE in front: a version, and the files that a carrier's screens
 * are made of.
 */
const CACHE_PREFIX = 'caudal-';
const CACHE = `${CACHE_PREFIX}${self.PRECACHE.version}`;
const PAGE = '/index.html';
/** A page that has not come after so long is shown as it is kept; the next visit brings the new one. */
const PAGE_TIMEOUT_MS = 4_000;

self.addEventListener('install', (event) => {
  event.waitUntil(fill());
});

async function fill() {
  const cache = await caches.open(CACHE);
  // The page's own name has no hash: whatever the browser keeps of it may be old.
  await cache.addAll(self.PRECACHE.files.map((file) => new Request(file, { cache: 'no-cache' })));
}

self.addEventListener('activate', (event) => {
  event.waitUntil(takeOver());
});

async function takeOver() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(CACHE_PREFIX) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin || url.pathname.startsWith('/api/'))
    return;
  event.respondWith(request.mode === 'navigate' ? page(request) : file(request, url));
});

/** The newest page where the network brings it in time, else the kept one. */
async function page(request) {
  const kept = await caches.match(PAGE);
  if (!kept) return fetch(request);
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(PAGE_TIMEOUT_MS) });
    return answer.status < 500 ? answer : kept;
  } catch {
    return kept;
  }
}

/** A kept file, else the network's; files whose names hold a hash are kept from then on. */
async function file(request, url) {
  const kept = await caches.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok && url.pathname.startsWith('/assets/')) {
    const cache = await caches.open(CACHE);
    await cache.put(request, answer.clone());
  }
  return answer;
}
