import { create } from '@bufbuild/protobuf';
import { ResponseMetadataSchema } from '@hearth/proto/batch/v1/batch';
import { ListMessagesResponseSchema } from '@hearth/proto/messages/v1/messages';
import { expect, test } from '@jest/globals';
import { createLanes } from './lanes.ts';

const metadata = create(ResponseMetadataSchema);
const pageOf = (length: number) => ({
  answer: { message: create(ListMessagesResponseSchema, { messages: [{ text: 'x'.repeat(length) }] }) },
  metadata,
});
const wanted = () => {};

/** Reads that the test answers itself. */
function reads(lanes = createLanes()) {
  const inHand: { name: string; answer(length: number): void }[] = [];
  const read = (name: string, check = wanted) => {
    const page = lanes.run(
      name,
      check,
      () => new Promise((resolve) => inHand.push({ name, answer: (length) => resolve(pageOf(length)) })),
    );
    // Reads that still wait at the end of a test are refused ten seconds later.
    page.catch(() => {});
    return page;
  };
  const names = async () => {
    await new Promise(setImmediate);
    return inHand.map(({ name }) => name);
  };
  const answer = (length: number) => inHand.shift()!.answer(length);
  return { read, names, answer };
}

test("a reader's first page runs alone; short pages and other readers' pages run concurrently", async () => {
  const { read, names, answer } = reads();
  for (const name of ['a', 'a', 'a', 'b']) void read(name);
  expect(await names()).toEqual(['a', 'b']);
  answer(10);
  expect(await names()).toEqual(['b', 'a', 'a']);
  for (let count = 0; count < 10; count += 1) void read('a');
  expect((await names()).filter((name) => name === 'a')).toHaveLength(8);
});

test('long pages run one at a time, in turns between readers, without delaying readers of short pages', async () => {
  const { read, names, answer } = reads();
  for (const name of ['a', 'b', 'c']) void read(name);
  expect(await names()).toEqual(['a', 'b', 'c']);
  for (let count = 0; count < 3; count += 1) answer(300_000);
  expect(await names()).toEqual([]);
  for (const name of ['a', 'a', 'b', 'c', 'd']) void read(name);
  expect(await names()).toEqual(['a', 'd']);
  answer(300_000);
  expect(await names()).toEqual(['d', 'b']);
  answer(10);
  answer(300_000);
  expect(await names()).toEqual(['c']);
  answer(300_000);
  expect(await names()).toEqual(['a']);
});

test('an unwanted read is skipped, and a failed read frees its place', async () => {
  const { read, names, answer } = reads();
  void read('a');
  const gone = read('a', () => {
    throw new Error('gone');
  });
  const next = read('a');
  await names();
  answer(10);
  await expect(gone).rejects.toThrow('gone');
  expect(await names()).toEqual(['a']);
  answer(10);
  await next;
});

test('at most 200 reads of a reader wait', async () => {
  const { read } = reads();
  for (let count = 0; count < 201; count += 1) void read('a');
  await expect(read('a')).rejects.toMatchObject({ kind: 'unavailable' });
});
