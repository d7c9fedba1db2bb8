import { AsyncLocalStorage } from 'node:async_hooks';

/** The network of the request for which the OAuth library looks up a client. The library does not pass the request on. */
export const askingNetwork = new AsyncLocalStorage<string>();
