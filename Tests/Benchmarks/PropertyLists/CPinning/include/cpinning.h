#pragma once

/// Keeps the process, and the children it starts, on the processor that it runs on; 0 or -1.
int cpinning_stay(void);
