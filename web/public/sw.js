// Keeps the files of the page, whose names change with what is in them. What the daemon answers is never kept, nor is the
// page itself: whether this device is let in is asked each time.
const CACHE = 'hookline-files-1';
const MOST = 60;

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('activate', (event) => {
  const old = caches
    .keys()
    .then((names) => names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
  event.waitUntil(old.then((gone) => Promise.all(gone)).then(() => self.clients.claim()));
});

self.addEventListener('fetch', (event) => {
  const { pathname, origin } = new URL(event.request.url);
  const isFile = /^\/(?:assets\/[^/]+|icon[^/]*\.(?:svg|png))$/.test(pathname);
  if (event.request.method === 'GET' && origin === self.location.origin && isFile)
    event.respondWith(file(event.request));
});

async function file(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) {
    await cache.put(request, response.clone());
    const all = await cache.keys();
    for (const one of all.slice(0, Math.max(0, all.length - MOST))) await cache.delete(one);
  }
  return response;
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const windows = self.clients.matchAll({ type: 'window' });
  event.waitUntil(windows.then(([one]) => (one ? one.focus() : self.clients.openWindow('/'))));
});
