import type { Call } from '../call.ts';
import type { ToolTable } from '../tool.ts';

/** What makes a programmer of chips or phones erase one, or change it permanently, in its words joined by spaces. */
const ERASES: Readonly<Record<string, RegExp>> = {
  fastboot: / -w | (?:erase|format(?::\S+)?) | (?:oem|flashing) (?:unlock|lock)\S* /,
  // An erasure before the same call writes is how one writes.
  avrdude: / -e (?!.*-U)| -U ?(?:[lhe]?fuse\d?|lock):w:/,
  nrfjprog: / (?:--eraseall|-e|--recover) /,
  nrfutil: / (?:erase|recover) /,
  openocd: /\b(?:flash erase_\w+|mass_erase)\b(?!.*\b(?:write_image|program)\b)/,
  STM32_Programmer_CLI: / (?:-e|--erase) (?!.* (?:-w|-d|--download) )| -ob /,
  JLinkExe: / erase /i,
  espefuse: / burn[-_]/,
  'espefuse.py': / burn[-_]/,
  picotool: / (?:erase|otp (?:set|load|permissions|white-label)) /,
};

/** They write to memory that stands in `/dev`, past any file system. */
const WRITES = 'flash_erase flash_eraseall flashcp nandwrite ubiformat ubimkvol ubirmvol ubiupdatevol';

function erases(call: Call): undefined {
  const words = ` ${call.command.argv.map(({ template }) => template).join(' ')} `;
  if (ERASES[call.name]?.test(words)) call.resource('device', 'erase', true, null);
}

/** Programs that write to chips, boards and phones. */
export const DEVICES: ToolTable = {
  ...Object.fromEntries(Object.keys(ERASES).map((name) => [name, { run: erases }])),
  ...Object.fromEntries(WRITES.split(' ').map((name) => [name, { operands: 'write' as const }])),
};
