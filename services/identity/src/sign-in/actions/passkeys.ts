import { isIP } from 'node:net';
import { badRequest, type HearthError, isHearthError } from '@hearth/errors';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { PasskeyRow } from '../db/passkeys.ts';
import { challengeMinutes } from '../domain/sign-in-rules.ts';

/** The WebAuthn (level 3) exchange with browsers. Stores nothing. */
export interface Passkeys {
  /**
   * The site's host, which passkeys are bound to. Null if browsers cannot create any, as for an IP address.
   */
  readonly site: string | null;
  requestOptions(challenge: string): Promise<string>;
  creationOptions(challenge: string, person: PersonOfPasskey): Promise<string>;
  /**
   * The challenge of an answer, and the id of its passkey.
   *
   * @throws bad_request for text that no browser sends
   */
  read(credential: string): ReadAnswer;
  /** Returns the new passkey. @throws bad_request unless it was made for this home and this challenge */
  verifyNew(answer: ReadAnswer): Promise<Omit<PasskeyRow, 'person'>>;
  /**
   * Returns the passkey's new counter.
   *
   * @throws bad_request unless this passkey signed the challenge for this home
   */
  verify(answer: ReadAnswer, passkey: PasskeyRow): Promise<number>;
}

export interface PersonOfPasskey {
  /** uuid */
  id: string;
  handle: string;
  name: string;
  /** The person's passkeys, so that a device does not create a second one. */
  present: readonly Pick<PasskeyRow, 'id' | 'transports'>[];
}

export interface ReadAnswer {
  /** base64url */
  challenge: string;
  id: Buffer;
  /** The person's uuid as stored on the device; undefined if the device sends none. */
  userHandle: string | undefined;
  json: RegistrationResponseJSON | AuthenticationResponseJSON;
}

/** Imported on first use: an idle home does not need it. */
const library = () => import('@simplewebauthn/server');

const maxAnswerCharacters = 16_384;

/** @param siteUrl the origin that browsers use */
export function createPasskeys({ siteUrl, home }: { siteUrl: string; home: string }): Passkeys {
  const { hostname, origin } = new URL(siteUrl);
  const site = isIP(hostname) !== 0 || hostname.startsWith('[') ? null : hostname;
  const rpID = site ?? 'none.invalid';
  const timeout = challengeMinutes * 60_000;

  return {
    site,
    async requestOptions(challenge) {
      const { generateAuthenticationOptions } = await library();
      return JSON.stringify(
        await generateAuthenticationOptions({
          rpID,
          challenge: Buffer.from(challenge, 'base64url'),
          timeout,
          userVerification: 'required',
        }),
      );
    },
    async creationOptions(challenge, { id, handle, name, present }) {
      const { generateRegistrationOptions } = await library();
      return JSON.stringify(
        await generateRegistrationOptions({
          rpName: home,
          rpID,
          userName: `@${handle}`,
          userDisplayName: name,
          userID: userHandleOf(id),
          challenge: Buffer.from(challenge, 'base64url'),
          timeout,
          attestationType: 'none',
          excludeCredentials: present.map((passkey) => ({
            id: passkey.id.toString('base64url'),
            transports: passkey.transports,
          })),
          authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        }),
      );
    },
    read(credential) {
      if (credential.length > maxAnswerCharacters) throw notTaken();
      try {
        const json = JSON.parse(credential);
        const data = JSON.parse(Buffer.from(json.response.clientDataJSON, 'base64url').toString());
        const { userHandle } = json.response;
        if (typeof data.challenge !== 'string' || typeof json.id !== 'string') throw notTaken();
        return {
          challenge: data.challenge,
          id: Buffer.from(json.id, 'base64url'),
          userHandle: typeof userHandle === 'string' && userHandle !== '' ? userHandle : undefined,
          json,
        };
      } catch (error) {
        throw isHearthError(error) ? error : notTaken();
      }
    },
    async verifyNew({ challenge, json }) {
      const { verifyRegistrationResponse } = await library();
      const { registrationInfo } = await requireVerified(() =>
        verifyRegistrationResponse({
          response: json as RegistrationResponseJSON,
          expectedChallenge: challenge,
          expectedOrigin: origin,
          expectedRPID: rpID,
          requireUserVerification: true,
        }),
      );
      const { id, publicKey, counter, transports = [] } = registrationInfo!.credential;
      return {
        id: Buffer.from(id, 'base64url'),
        publicKey: Buffer.from(publicKey),
        counter,
        transports: transports.filter((each) => /^[a-z-]{1,20}$/.test(each)).slice(0, 10),
      };
    },
    async verify({ challenge, json, userHandle }, passkey) {
      if (
        userHandle !== undefined &&
        userHandle !== Buffer.from(userHandleOf(passkey.person)).toString('base64url')
      )
        throw notTaken();
      const { verifyAuthenticationResponse } = await library();
      const { authenticationInfo } = await requireVerified(() =>
        verifyAuthenticationResponse({
          response: json as AuthenticationResponseJSON,
          expectedChallenge: challenge,
          expectedOrigin: origin,
          expectedRPID: rpID,
          requireUserVerification: true,
          credential: {
            id: passkey.id.toString('base64url'),
            publicKey: new Uint8Array(passkey.publicKey),
            counter: passkey.counter,
            transports: passkey.transports as never,
          },
        }),
      );
      return authenticationInfo.newCounter;
    },
  };
}

function userHandleOf(person: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(person.replaceAll('-', ''), 'hex'));
}

/** The library throws for anything wrong with an answer; none of these is a fault of this home. */
async function requireVerified<Answer extends { verified: boolean }>(
  work: () => Promise<Answer>,
): Promise<Answer> {
  try {
    const answer = await work();
    if (answer.verified) return answer;
  } catch {
    // Reported below in words for the person with the device.
  }
  throw notTaken();
}

export function notTaken(): HearthError {
  return badRequest('this passkey was not taken; try again, or sign in by email', {
    code: 'bad_field',
    field: 'passkey',
  });
}
