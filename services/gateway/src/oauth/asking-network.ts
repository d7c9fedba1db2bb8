import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The network of the request for which the OAuth library looks up a client; the library doesn't pass the
 * request on.
 */
export const askingNetwork = new AsyncLocalStorage<string>();
