import type { NatsConnection } from '@nats-io/transport-node';
import type { Bus, Log } from './bus.ts';
import type { HomeMac } from './home-mac.ts';
import type { Session } from './nats-session.ts';
import { signalSubject } from './streams.ts';
import { checkFilter, checkSubject } from './subjects.ts';

export function createNatsSignals(
  connection: NatsConnection,
  session: Session,
  prefix: string,
  mac: HomeMac,
  log: Log,
): Pick<Bus, 'signal' | 'onSignal'> {
  return {
    signal(subject, payload) {
      // Otherwise the client would buffer the signal and send it late, when it is useless.
      if (session.epoch() === null) return;
      try {
        checkSubject(subject);
        const whole = signalSubject(prefix, subject);
        connection.publish(whole, mac.sign(whole, payload));
      } catch (error) {
        log.error({ subject, err: error }, 'a signal could not be sent');
      }
    },
    onSignal(filter, listen) {
      checkFilter(filter);
      const subscription = connection.subscribe(signalSubject(prefix, filter), {
        callback(error, message) {
          try {
            if (error !== null) throw error;
            listen(mac.open(message.subject, message.data));
          } catch (failure) {
            log.error({ subject: filter, err: failure }, 'a signal could not be handled');
          }
        },
      });
      return {
        async stop() {
          subscription.unsubscribe();
        },
      };
    },
  };
}
