import { setPriority } from 'node:os';
import { type AttackName, attackers, type AttackTarget } from './attackers.ts';

/** The attacker's process has a low priority, so that its work does not delay the measured customers. */
setPriority(10);
process.once('message', (asked: { name: AttackName; target: AttackTarget }) => {
  const { hostname } = new URL(asked.target.url);
  if (hostname !== 'localhost' && hostname !== '127.0.0.1') throw new Error(`${hostname} is not this machine.`);
  void attackers[asked.name](asked.target).then((got) => process.send?.(got, () => process.exit()));
});
