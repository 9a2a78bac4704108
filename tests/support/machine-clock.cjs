// Gives a command another time, as if the machine's clock were set to it.
const RealDate = Date;

const aheadMs = RealDate.parse(process.env.TEST_MACHINE_TIME) - RealDate.now();

class MachineDate extends RealDate {
  constructor(...moment) {
    if (moment.length === 0) super(MachineDate.now());
    else super(...moment);
  }

  static now() {
    return RealDate.now() + aheadMs;
  }
}

Object.assign(globalThis, { Date: MachineDate });
