/**
 * Measures several things in turns, so that a busy moment of the machine falls on all of them. Who comes first alternates: a
 * machine that gets busier or quieter favors none. Resolves to the values of each.
 *
 * @param {number} rounds
 * @param {readonly ((round: number) => Promise<T> | T)[]} measures
 * @template T
 * @returns {Promise<T[][]>}
 */
export async function inTurns(rounds, measures) {
  const all = measures.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    const order = [...measures.keys()];
    if (round % 2 === 1) order.reverse();
    for (const at of order) all[at].push(await measures[at](round));
  }
  return all;
}
