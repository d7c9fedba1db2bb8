import type { DescMessage } from '@bufbuild/protobuf';
import { liesAbout } from '@hearth/home-acts/lies';
import type { HomeItem } from '@hearth/proto/federation/v1/items';
import { type OneOfTwo, receive } from '@hearth/testkit';
import { expect } from '@jest/globals';

/**
 * Sends a home each lie about its parties, and expects that its reader sees none, whether the state is accepted or
 * refused.
 */
export async function expectsNoLie(
  to: Pick<OneOfTwo, 'fromFederation' | 'name'>,
  desc: DescMessage,
  item: HomeItem,
  read: () => Promise<object>,
): Promise<string[]> {
  const { object, ...body } = JSON.parse(item.bodyJson) as { object: Record<string, unknown> };
  const { ...truth } = await read();
  const lies = liesAbout(
    item.to.map((address) => `${address.slice(1)}@${to.name}`),
    desc,
    object,
  );
  let rev = item.rev;
  for (const { path, object: lie } of lies) {
    rev += 2n ** 32n;
    await receive(to, { ...item, rev, bodyJson: JSON.stringify({ ...body, object: lie }) });
    const seen = await read();
    expect([path, { ...seen, disputed: undefined, wordsDisputed: undefined }]).toEqual([
      path,
      { ...truth, disputed: undefined, wordsDisputed: undefined },
    ]);
  }
  return lies.map(({ path }) => path);
}
