import { create, getOption, toBinary } from '@bufbuild/protobuf';
import { systemClock } from '@hearth/clock';
import { CallerSchema } from '@hearth/proto/common/v1/caller';
import { CallerKind, operation } from '@hearth/proto/options';
import { services } from '@hearth/proto/services';
import { expect, test } from '@jest/globals';
import { createDispatcher } from './dispatcher.ts';
import { methodPath } from './method-path.ts';

const personOnly = services
  .flatMap(({ methods }) => methods)
  .filter((method) => getOption(method, operation).personOnly);

test('an act for people only is refused to their AI at its service, even when forwarded', async () => {
  const done: string[] = [];
  const dispatcher = createDispatcher({ clock: systemClock, onUnexpected: () => {} });
  for (const service of new Set(personOnly.map(({ parent }) => parent)))
    dispatcher.add(
      service,
      Object.fromEntries(
        service.methods.map(({ localName, name }) => [
          localName,
          async () => {
            done.push(name);
            return {};
          },
        ]),
      ) as never,
    );
  expect(personOnly.length).toBeGreaterThan(15);
  for (const method of personOnly) {
    const callBy = (kind: CallerKind) =>
      dispatcher.unary(methodPath(method), toBinary(method.input, create(method.input)), {
        ...{ service: 'gateway', deadline: systemClock.now() + 5_000, traceparent: undefined },
        caller: create(CallerSchema, { kind, id: 'one', person: 'ada' }),
      } as never);
    await expect(callBy(CallerKind.AI)).rejects.toMatchObject({
      kind: 'forbidden',
      details: { code: 'needs_person', needsPerson: true },
    });
    expect(done).not.toContain(method.name);
    await callBy(CallerKind.PERSON);
    expect(done).toContain(method.name);
  }
});
