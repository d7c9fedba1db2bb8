import { type Metadata, ServerInterceptingCall, type ServerInterceptor, status } from '@grpc/grpc-js';
import type { Clock } from '@hearth/clock';
import { type Arrival, hasProof, readMetadata, refusals } from './metadata.ts';
import type { PairKeys } from './proof.ts';
import { namesService } from './tls.ts';

/** The longest message of a method that needs no proof: health and reflection. */
const smallMessage = 16 * 1024;

export interface AuthenticateOptions {
  keys: PairKeys;
  /** The methods that need a proof. */
  paths: ReadonlySet<string>;
  callers: ReadonlySet<string>;
  peers: ReadonlySet<string>;
  /** Whether the caller's certificate must name it. */
  tls: boolean;
  clock: Clock;
  /** Called with what the proof vouches for, before the request is read. */
  onArrival(metadata: Metadata, arrival: Arrival): void;
}

export const refused = (why: keyof typeof refusals) => ({
  code: status.UNAUTHENTICATED,
  details: refusals[why],
});

/**
 * Refuses a call by its metadata, so that nothing of a stranger's request is read. Anyone may ask for health; a service
 * that includes its proof learns whether its calls are accepted.
 */
export function createAuthenticator(options: AuthenticateOptions): ServerInterceptor {
  const { keys, paths, callers, peers, tls, clock, onArrival } = options;
  return ({ path }, call) => {
    const isCall = paths.has(path);
    if (!isCall) boundMessage(call);
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata(metadata, pass) {
            if (!isCall && !hasProof(metadata)) return pass(metadata);
            const reading = { keys, peers, ...(isCall && { callers }), path, now: clock.now() };
            const arrival = readMetadata(metadata, reading);
            if (typeof arrival === 'string') return call.sendStatus(refused(arrival));
            if (tls && !namesService(call.getAuthContext().sslPeerCertificate, arrival.service)) {
              return call.sendStatus(refused('certificate'));
            }
            onArrival(metadata, arrival);
            pass(metadata);
          },
        }),
    });
  };
}

/** The library has one bound for all methods of a server; the bound of a single call is in its decoder. */
function boundMessage(call: object): void {
  const { decoder } = call as { decoder?: { maxReadMessageLength: number } };
  if (decoder !== undefined) decoder.maxReadMessageLength = smallMessage;
}
