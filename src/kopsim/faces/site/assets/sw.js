/* Keeps the whole page, so that it opens without a network.  A new build has a new version, which
   takes over when the page has been closed everywhere, so that no page is half old and half new. */
"use strict";

importScripts("data/kept.js");
const CACHE = `kopsim-${KEPT.version}`;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(["./", ...KEPT.files])));
});

self.addEventListener("activate", (event) => {
  const old = (names) => names.filter((name) => name.startsWith("kopsim-") && name !== CACHE);
  event.waitUntil(
    caches.keys().then((names) => Promise.all(old(names).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== self.location.origin) return;
  event.respondWith(
    caches.open(CACHE).then((cache) => cache.match(event.request, {ignoreSearch: true}))
      .then((kept) => kept ?? fetch(event.request)));
});
