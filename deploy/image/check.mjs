// check <gateway URL> <home name>
//
// Checks that the home serves at that address; `helm test` runs it in the cluster.
const [url, name] = process.argv.slice(2);
const ask = async (path) => {
  const answer = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(5_000) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 500)}`);
  return JSON.parse(text);
};

/** A new home may need a minute until all its parts are connected. */
const end = performance.now() + 60_000;
for (;;) {
  try {
    await ask('/ready');
    const { home } = await ask('/.well-known/service.json');
    if (home !== name) throw new Error(`the home there is called ${home}, not ${name}`);
    console.log(`${name} is ready and shows its document`);
    break;
  } catch (error) {
    if (performance.now() < end && !String(error.message).includes('is called')) {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      continue;
    }
    console.error(`${url} does not serve: ${error.cause?.message ?? error.message}`);
    process.exitCode = 1;
    break;
  }
}
