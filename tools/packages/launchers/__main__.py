import sys

from seqreg_toolkit.launcher import main

sys.exit(main())
