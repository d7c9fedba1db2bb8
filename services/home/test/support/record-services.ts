import type { Host, ReceivedEvent, ServiceDefinition } from '@hearth/runtime';

/** A consumer as its service registered it, with the batches of events that it handled. */
export interface RecordedConsumer {
  types: readonly string[];
  handle(events: ReceivedEvent[]): Promise<void>;
  batches: ReceivedEvent[][];
}

/** Records what services register: their consumers, by service and durable name, and the names of their jobs. */
export function recordServices(services: readonly ServiceDefinition[]) {
  const consumers = new Map<string, RecordedConsumer>();
  const jobs: string[] = [];

  function record(service: string, host: Host): void {
    const { consume, every, whenDue } = host;
    host.consume = (consumer) => {
      const { types, handle } = consumer;
      const batches: ReceivedEvent[][] = [];
      consumers.set(`${service}: ${consumer.durable}`, { types, handle, batches });
      consume({
        ...consumer,
        async handle(events) {
          await handle(events);
          batches.push(events);
        },
      });
    };
    host.every = (name, ...rest) => {
      jobs.push(`${service}: ${name}`);
      every(name, ...rest);
    };
    host.whenDue = (name, ...rest) => {
      jobs.push(`${service}: ${name}`);
      whenDue(name, ...rest);
    };
  }

  return {
    consumers,
    jobs,
    services: services.map((service) => ({
      ...service,
      async start(host: Host) {
        record(service.name, host);
        await service.start(host);
      },
    })),
  };
}
