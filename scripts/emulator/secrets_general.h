// The kinds of rules for instructions on general registers.

#ifndef KUAIMI_SECRETS_GENERAL_H
#define KUAIMI_SECRETS_GENERAL_H

namespace secrets {

// What the rule's `element` means is said where it means something.
enum General : unsigned char {
    MOVE, MOVE_SIGNED, SWAP_BYTES, EXCHANGE, EXCHANGE_ADD, COMPARE_EXCHANGE, LOAD_ADDRESS, PUSH, POP, LEAVE, CALL, RETURN, JUMP,
    JUMP_IF, JUMP_IF_COUNT, MOVE_IF, SET_IF, // element: the flags
    ADD, ADD_WITH, SUBTRACT, SUBTRACT_WITH, // element of ..._WITH: the flag that is read; alone written by ADCX and ADOX
    COMPARE, INCREMENT, NEGATE, AND, AND_NOT, OR, XOR, TEST, NOT,
    SHIFT_LEFT, SHIFT_RIGHT, SHIFT_SIGNED, ROTATE_LEFT, ROTATE_RIGHT, ROTATE_CARRY, SHIFT_TWO_LEFT, SHIFT_TWO_RIGHT,
    SHIFT_LEFT_X, SHIFT_RIGHT_X, SHIFT_SIGNED_X, ROTATE_RIGHT_X, // three operands, no flags
    MULTIPLY, MULTIPLY_LOW, MULTIPLY_X, DIVIDE,
    TEST_BIT, SET_BIT, // element of SET_BIT: whether the bit becomes public
    COUNT_BITS, FIND_BIT, // element of FIND_BIT: whether from below
    LOWEST_BIT, LOW_BITS, EXTRACT_BITS, SCATTER_BITS,
    EXTEND_A, EXTEND_A_TO_D, // of rax; element: bytes of the source
    PUBLIC, // all of rax, rbx, rcx, rdx that the instruction writes; element: a bit for each
    PUBLIC_RESULT, SET_CARRY, SYSTEM_CALL,
    STRING_MOVE, STRING_STORE, STRING_LOAD, STRING_COMPARE, STRING_SCAN, // element: bytes
};

} // namespace secrets

#endif
