import { AsyncLocalStorage } from 'node:async_hooks';

/** The network for which the library asks for a client; the library hands no request on. */
export const askingNetwork = new AsyncLocalStorage<string>();
