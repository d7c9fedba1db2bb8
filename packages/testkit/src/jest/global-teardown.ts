import { stoppers } from './stoppers.ts';

export default async function globalTeardown(): Promise<void> {
  for (const stop of stoppers.splice(0).reverse()) await stop();
}
