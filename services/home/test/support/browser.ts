import { delimiter, join } from 'node:path';
import { type Browser, type CDPSession, launch, type Page } from 'puppeteer-core';
import { findProgram } from '../../../../scripts/tools/find-program.mjs';

const root = join(import.meta.dirname, '..', '..', '..', '..');

/** Starts the machine's Chromium, or the one that the tests downloaded. */
export async function startBrowser(): Promise<Browser> {
  const path = [process.env['PATH'], join(root, '.cache', 'bin')].join(delimiter);
  const executablePath = findProgram('chromium', path);
  if (executablePath === undefined)
    throw new Error(
      'passkeys are tested with chromium. `npm run tools -- chromium` fetches it where it can.',
    );
  const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
  return await launch({ executablePath, args });
}

/** A virtual authenticator that stores passkeys and whose user consents. */
export interface Device {
  passkeys(): Promise<{ rpId: string; signCount: number }[]>;
  /** Whether the user verifies themselves to the authenticator. */
  setOwnerPresent(present: boolean): Promise<void>;
  /** Resets every passkey's counter, as a cloned authenticator would. */
  rewind(): Promise<void>;
}

export async function attachDevice(page: Page): Promise<Device> {
  const cdp: CDPSession = await page.createCDPSession();
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const credentials = async () =>
    (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
  return {
    async passkeys() {
      return (await credentials()).map(({ rpId = '', signCount }) => ({ rpId, signCount }));
    },
    async setOwnerPresent(isUserVerified) {
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
    async rewind() {
      const present = await credentials();
      await cdp.send('WebAuthn.clearCredentials', { authenticatorId });
      for (const credential of present) {
        await cdp.send('WebAuthn.addCredential', {
          authenticatorId,
          credential: { ...credential, signCount: 0 },
        });
      }
    },
  };
}
